import type { SandboxAccess, SandboxName, VerbContext } from '../../../0-contracts/src/index.js'
import type { CommandCall } from './command-call.js'
import { entryOf } from './described-call.js'

/** Sandboxes that can open one thing and keep the rest closed. */
const OPENING: ReadonlySet<SandboxName> = new Set(['bwrap', 'unshare'])

/** What the policy lets the user open to a command, both before one: what it says a word about stays as it says. */
export function openableAccess(
  { policy }: Pick<VerbContext, 'policy'>, heldBy: SandboxName,
): readonly SandboxAccess[] {
  if (!OPENING.has(heldBy)) return []
  const { network } = policy.verbs
  const mayReach = (network.value === 'on' && policy.hosts?.by === undefined)
    || (network.value === 'off' && network.by === undefined)
  const canOpen = mayReach && network.value !== 'on'
  return [
    ...(canOpen ? ['network+git' as const, 'network' as const] : []), 'git',
    // Nothing would keep it from the network; and a sandbox that was asked for by name is no preference.
    ...(mayReach && policy.sandbox.value === 'auto' ? ['outside' as const] : []),
  ]
}

/** What the user has opened to just this command before, for the session or from then on. */
export function keptAccess(call: CommandCall, context: VerbContext, heldBy: SandboxName): SandboxAccess | undefined {
  if (!call.mayBeOpened) return undefined
  return openableAccess(context, heldBy).find(access => {
    const entry = entryOf(call, context, access)
    return context.policy.commandAllowlist.includes(entry) || context.wider?.has(entry) === true
  })
}
