import {
  HermesError, type AccessAnswer, type SandboxAccess, type SandboxName, type VerbContext, type Walls,
} from '../../../0-contracts/src/index.js'
import type { CommandCall } from './command-call.js'
import { describedCall, entryOf } from './described-call.js'
import { openableAccess } from './openable-access.js'
import { reachesNetwork } from './reaches-network.js'

/** The final outcome of a command. */
export interface Ran<Outcome> {
  outcome: Outcome
  /** Wider access that the user gave it. */
  access?: SandboxAccess
  /** What the model should know about that. */
  note?: string
}

/** Kinds of wider access, in words for the model. */
const WITH: Readonly<Record<SandboxAccess, string>> = {
  network: 'with the network', git: 'with .git writable', 'network+git': 'with the network and with .git writable',
  outside: 'outside of the sandbox',
}

/**
 * Runs an admitted command. If the sandbox stopped it, asks the user whether it may run again with wider access: once,
 * and once more if another restriction stops it then.
 *
 * @param attempt runs it once, with the network and access of the context
 * @param wallsOf what the sandbox denied to a failed run
 */
export async function runWithMore<Outcome extends { sandbox: SandboxName }>(
  call: CommandCall, admitted: VerbContext, attempt: (context: VerbContext) => Promise<Outcome>,
  wallsOf: (outcome: Outcome) => Walls | undefined,
): Promise<Ran<Outcome>> {
  let context = admitted
  let ran: Ran<Outcome> = {
    outcome: await attempt(context), ...(context.access !== undefined && { access: context.access }),
  }
  for (let isFirst = true; ; isFirst = false) {
    const { outcome, note } = ran
    const walls = wallsOf(outcome)
    const offers = offersFor(walls, context, outcome.sandbox)
    if (walls === undefined || offers.length === 0 || (!isFirst && !offers.includes('network+git'))) return ran
    const answer = await ask(call, context, walls, offers, outcome.sandbox)
    if (answer === undefined) return ran
    if ('denied' in answer) {
      const why = answer.denied === undefined ? '' : `: ${answer.denied}`
      const denied = `It was not allowed to run again with more access${why}.`
      return { ...ran, note: note === undefined ? denied : `${note} ${denied}` }
    }
    const { access } = answer
    context = { ...context, access }
    ran = {
      outcome: await attempt(context), access,
      note: `The sandbox had stopped it (${walls.kept}): this is how it ran again, ${WITH[access]}, as the user `
        + 'allowed.',
    }
  }
}

/** The kinds of access that would let it pass, each including what is open to it already. */
function offersFor(walls: Walls | undefined, context: VerbContext, sandbox: SandboxName): SandboxAccess[] {
  const openable = openableAccess(context, sandbox)
  const { access } = context
  const met = (walls?.opens ?? []).filter(wall => openable.includes(wall))
  const parts = met.filter(wall => wall !== 'outside')
  const union = new Set([...parts, ...(access === undefined ? [] : [access])])
  const isBoth = parts.length > 0 && union.has('network') && union.has('git') && openable.includes('network+git')
  return [
    ...(access === undefined ? parts : []), ...(isBoth ? ['network+git' as const] : []),
    ...met.filter(wall => wall === 'outside'),
  ]
}

async function ask(
  call: CommandCall, context: VerbContext, { kept }: Walls, offers: readonly SandboxAccess[], sandbox: SandboxName,
): Promise<AccessAnswer> {
  try {
    return await context.wider?.ask({
      action: call.verb, reason: `the sandbox stopped it: ${kept}`, kind: 'escalation', ...await describedCall(call),
      sandbox, network: reachesNetwork(context), ...(context.policy.hosts && { hosts: context.policy.hosts.value }),
      ...(context.access !== undefined && { access: context.access }),
      exact: entryOf(call, context), offers,
    }, access => entryOf(call, context, access))
  } catch (error) {
    // The first run's outcome stands, whatever the user answered.
    if (error instanceof HermesError && error.code === 'APPROVAL_DENIED') return { denied: undefined }
    throw error
  }
}
