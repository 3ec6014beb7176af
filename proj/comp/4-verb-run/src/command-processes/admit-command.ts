import {
  HermesError, type ApprovalReason, type ApprovalRequest, type ApprovalVariable, type Consent, type SandboxName,
  type VerbContext,
} from '../../../0-contracts/src/index.js'
import { clip, isSecretName, maskTokenShapes } from '../../../0-text/src/index.js'
import { dangerReasons, heaviest, joinedReasons, type JudgedText, refused } from './command-reasons.js'
import { exactCommand } from './exact-command.js'
import { reachesNetwork } from './reaches-network.js'

/** Longest value of a variable that is shown, in UTF-16 units. */
const MOST_SHOWN = 500

/** A command that is about to run. */
export interface CommandCall extends JudgedText {
  verb: string
  /** As the model wrote it. */
  shown: string
  /** What it is written in, where the verb does not say it. */
  lang?: string | undefined
  /** Absolute. */
  cwd: string
  /** Of a program that runs: what holds it, and so its input. */
  heldBy?: SandboxName
  /** What else can be wrong with it, to be found out in the sandbox: then nobody is asked. */
  check?: () => Promise<void>
}

interface Question {
  call: CommandCall
  context: VerbContext
  /** Not part of the danger alone: what was read before. */
  isExact: boolean
}

/**
 * Asks once whatever there is to ask before a command runs: that it is dangerous, that nothing would contain it, that
 * the policy says so. To be called when all else about the call is known to be good.
 *
 * @returns the context for its run: of a network that is asked for it says on or off
 * @throws HermesError `APPROVAL_DENIED`, with the names of the dangers; `NOT_INSTALLED`, and what `check` throws
 */
export async function admitCommand(call: CommandCall, context: VerbContext): Promise<VerbContext> {
  const { verb, source, shown, cwd, lang } = call
  const { policyAsks = {}, policy, sandbox } = context
  const { alone, together } = await dangerReasons(call, context)
  const question = { call, context, isExact: together.length === 0 }
  const exact = exactCommand({ verb, lang, root: context.session.root, cwd, env: source.env, command: shown })
  const isKept = question.isExact && policy.commandAllowlist.includes(exact)
  const reasons: ApprovalReason[] = [
    ...(policyAsks.command === undefined ? [] : [{ kind: 'policy' as const, text: policyAsks.command }]),
    ...(isKept ? [] : [...alone, ...together]),
  ]
  const network: ApprovalReason[] = policyAsks.network === undefined ? []
    : [{ kind: 'policy', pattern: 'network', text: policyAsks.network }]
  const ask = async (all: readonly ApprovalReason[], heldBy: SandboxName): Promise<Consent> => {
    const consent = await context.approve(await requestOf(question, all, heldBy, exact))
    if (consent !== 'granted' && reasons.length > 0) throw refused(verb, all, consent)
    return consent
  }
  let isAsked = false
  const heldBy = call.heldBy ?? await sandbox.admit(verb, shown, async ({ reason }) => {
    isAsked = true
    return ask([...reasons, ...network, { kind: 'unsandboxed', text: reason }], 'none')
  })
  await call.check?.()
  if (!isAsked && reasons.length > 0) await ask([...reasons, ...network], heldBy)
  else if (!isAsked && network.length > 0) {
    const decided = withNetwork(call, context, await networkConsent(async () => ask(network, heldBy)))
    context.admitted?.()
    return decided
  }
  context.admitted?.()
  return network.length === 0 ? context : withNetwork(call, context, 'granted')
}

/** Without the network a command can run all the same. */
async function networkConsent(ask: () => Promise<Consent>): Promise<Consent> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof HermesError && error.code === 'APPROVAL_DENIED') return 'denied'
    throw error
  }
}

/** @throws HermesError `APPROVAL_DENIED` where nothing would keep a command from it */
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
  { call, context, isExact }: Question, reasons: readonly ApprovalReason[], sandbox: SandboxName, exact: string,
): Promise<ApprovalRequest> {
  const { changesWhatRuns } = await import('../../../1-command-risk/src/index.js')
  const first = heaviest(reasons)
  const pattern = reasons.find(({ kind }) => kind === 'dangerous')?.pattern ?? first?.pattern
  const variables = Object.entries(call.source.env ?? {})
  return {
    action: call.verb, reason: joinedReasons(reasons), ...(first && { kind: first.kind }),
    ...(pattern !== undefined && { pattern }), ...(reasons.length > 1 && { reasons }), command: call.shown,
    ...(variables.length > 0 && { variables: variables.map(([name, value]) => ({
      ...variable(name, value), ...(changesWhatRuns(name) && { changesWhatRuns: true as const }),
    })) }),
    directory: call.cwd, sandbox,
    network: reachesNetwork(context) || reasons.some((one) => one.kind === 'policy' && one.pattern === 'network'),
    ...(isExact && { exact }),
  }
}

/** Without what is secret. */
function variable(name: string, value: string): ApprovalVariable {
  return {
    name, value: isSecretName(name) && value !== '' ? '[masked]' : maskTokenShapes(clip(value, MOST_SHOWN)),
  }
}
