import {
  HermesError, type AccessAnswer, type SandboxAccess, type SandboxName, type VerbContext, type Walls,
} from '../../../0-contracts/src/index.js'
import type { CommandCall } from './command-call.js'
import { describedCall, entryOf } from './described-call.js'
import { openableAccess } from './openable-access.js'
import { reachesNetwork } from './reaches-network.js'

/** How a command came out in the end. */
export interface Ran<Outcome> {
  outcome: Outcome
  /** What the user had opened to it. */
  access?: SandboxAccess
  /** What the model should know of how that came. */
  note?: string
}

/** What the user was told that this opens, for the model. */
const WITH: Readonly<Record<SandboxAccess, string>> = {
  network: 'with the network', git: 'with .git writable', outside: 'outside of the sandbox',
}

/**
 * Runs an admitted command; where the sandbox stopped it, the user is asked once whether it may run again with more.
 *
 * @param attempt one run of it, by what the context says of network and access
 * @param wallsOf what the sandbox kept from a run that failed
 */
export async function runWithMore<Outcome extends { sandbox: SandboxName }>(
  call: CommandCall, admitted: VerbContext, attempt: (context: VerbContext) => Promise<Outcome>,
  wallsOf: (outcome: Outcome) => Walls | undefined,
): Promise<Ran<Outcome>> {
  const outcome = await attempt(admitted)
  const first: Ran<Outcome> = { outcome, ...(admitted.access !== undefined && { access: admitted.access }) }
  const walls = wallsOf(outcome)
  const openable = openableAccess(admitted, outcome.sandbox)
  // Where something is open already, another thing alone would close it again.
  const offers = (walls?.opens ?? []).filter(access => (
    openable.includes(access) && (admitted.access === undefined || access === 'outside')
  ))
  if (walls === undefined || offers.length === 0) return first
  const answer = await ask(call, admitted, walls, offers, outcome.sandbox)
  if (answer === undefined) return first
  if ('denied' in answer) {
    const why = answer.denied === undefined ? '' : `: ${answer.denied}`
    return { ...first, note: `It was not allowed to run again with more access${why}.` }
  }
  const { access } = answer
  return {
    outcome: await attempt({ ...admitted, access }), access,
    note: `The sandbox had stopped it (${walls.kept}): this is how it ran again, ${WITH[access]}, as the user allowed.`,
  }
}

async function ask(
  call: CommandCall, context: VerbContext, { kept }: Walls, offers: readonly SandboxAccess[], sandbox: SandboxName,
): Promise<AccessAnswer> {
  try {
    return await context.wider?.ask({
      action: call.verb, reason: `the sandbox stopped it: ${kept}`, kind: 'escalation', ...await describedCall(call),
      sandbox, network: reachesNetwork(context), ...(context.access !== undefined && { access: context.access }),
      exact: entryOf(call, context), offers,
    }, access => entryOf(call, context, access))
  } catch (error) {
    // The first run stands, whatever the user said.
    if (error instanceof HermesError && error.code === 'APPROVAL_DENIED') return { denied: undefined }
    throw error
  }
}
