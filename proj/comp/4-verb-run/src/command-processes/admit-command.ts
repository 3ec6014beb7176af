import {
  caughtLater, HermesError, type ApprovalReason, type ApprovalQuestion, type Consent, type SandboxAccess,
  type SandboxName, type VerbContext,
} from '../../../0-contracts/src/index.js'
import type { CommandCall } from './command-call.js'
import { dangerReasons, heaviest, joinedReasons, refused } from './command-reasons.js'
import { describedCall, entryOf, holdOf } from './described-call.js'
import { keptAccess } from './openable-access.js'
import { reachesNetwork } from './reaches-network.js'

interface Question {
  call: CommandCall
  context: VerbContext
  /** Left out of the question about the danger alone: what the shell read before. */
  isExact: boolean
  access?: SandboxAccess | undefined
}

/**
 * Asks the user once, with all reasons together, before a command runs: it is dangerous, nothing would contain it, or
 * the policy says so. Call it only when everything else about the call is known to be valid.
 *
 * @returns the context for its run, in which the network is on or off if it had to be asked for
 * @throws HermesError `APPROVAL_DENIED`, with the names of the dangers; `NOT_INSTALLED`, and what `check` throws
 */
export async function admitCommand(call: CommandCall, context: VerbContext): Promise<VerbContext> {
  const { verb, shown } = call
  const { policyAsks = {}, policy, sandbox } = context
  const { alone, together } = await dangerReasons(call, context)
  const question: Question = { call, context, isExact: together.length === 0 }
  const network: ApprovalReason[] = policyAsks.network === undefined ? []
    : [{ kind: 'policy', pattern: 'network', text: policyAsks.network }]
  const exactIn = (held: SandboxName): string => (
    entryOf(call, context, holdOf(held, reachesNetwork(context) || network.length > 0))
  )
  const reasonsIn = (held: SandboxName): ApprovalReason[] => [
    ...(policyAsks.command === undefined ? [] : [{ kind: 'policy' as const, text: policyAsks.command }]),
    ...(question.isExact && policy.commandAllowlist.includes(exactIn(held)) ? [] : [...alone, ...together]),
  ]
  const ask = async (all: readonly ApprovalReason[], heldBy: SandboxName): Promise<Consent> => {
    const consent = await context.approve(await requestOf(question, all, heldBy, exactIn(heldBy)))
    const isNeeded = all.some(need => need.kind !== 'unsandboxed' && !network.includes(need))
    if (consent !== 'granted' && isNeeded) throw refused(verb, all, consent)
    return consent
  }
  let isAsked = false
  const heldBy = call.heldBy ?? await sandbox.admit(verb, shown, async ({ reason }) => {
    isAsked = true
    return ask([...reasonsIn('none'), ...network, { kind: 'unsandboxed', text: reason }], 'none')
  })
  const reasons = reasonsIn(heldBy)
  await call.check?.()
  question.access = keptAccess(call, context, heldBy)
  if (!isAsked && reasons.length > 0) await ask([...reasons, ...network], heldBy)
  else if (!isAsked && network.length > 0) {
    // If it is denied, the command still runs without.
    const consent = await caughtLater(HermesError, () => ask(network, heldBy), (error) => {
      if (error.code === 'APPROVAL_DENIED') return 'denied' as const
      throw error
    })
    const decided = withNetwork(call, context, consent)
    context.admitted?.()
    return { ...decided, access: question.access }
  }
  context.admitted?.()
  const admitted = network.length === 0 ? context : withNetwork(call, context, 'granted')
  return { ...admitted, access: question.access }
}

/** @throws HermesError `APPROVAL_DENIED` where the network was denied and no sandbox would keep the command from it */
function withNetwork({ verb }: CommandCall, context: VerbContext, consent: Consent): VerbContext {
  const { policy } = context
  if (consent !== 'granted' && policy.sandbox.value === 'none') {
    const reason = context.policyAsks?.network ?? 'it reaches the network'
    const message = `${verb} needs an approval: ${reason}, and there is no sandbox to run it without`
    throw new HermesError('APPROVAL_DENIED', message, {
      hint: 'Nothing was done. Do without the command, or say why it is needed and ask.',
    })
  }
  const network = { ...policy.verbs.network, value: consent === 'granted' ? 'on' as const : 'off' as const }
  return { ...context, policy: { ...policy, verbs: { ...policy.verbs, network } } }
}

async function requestOf(
  { call, context, isExact, access }: Question, reasons: readonly ApprovalReason[], sandbox: SandboxName, exact: string,
): Promise<ApprovalQuestion> {
  const first = heaviest(reasons)
  const pattern = reasons.find(({ kind }) => kind === 'dangerous')?.pattern ?? first?.pattern
  return {
    action: call.verb, reason: joinedReasons(reasons), ...(first && { kind: first.kind }),
    ...(pattern !== undefined && { pattern }), ...(reasons.length > 1 && { reasons }), ...await describedCall(call),
    sandbox: access === 'outside' ? 'none' : sandbox, ...(access !== undefined && { access }),
    ...(context.policy.hosts && { hosts: context.policy.hosts.value }),
    network: reachesNetwork({ policy: context.policy, access })
      || reasons.some((reason) => reason.kind === 'policy' && reason.pattern === 'network'),
    ...(isExact && { exact }),
  }
}
