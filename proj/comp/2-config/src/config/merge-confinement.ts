import { HermesError, type Permission, type Ruling, type SandboxMode } from '../../../0-contracts/src/index.js'
import { DEFAULT_POLICY } from './defaults.js'
import type { PolicySource } from './source.js'
import { PERMISSIONS, SANDBOXES, strictest } from './strictest.js'

interface Confinement<Value> {
  found: Ruling<Value>
  /** What a project's file says and cannot have, one line each. */
  warnings: string[]
}

interface Setting<Value> {
  name: string
  flag: string
  order: readonly Value[]
  preset: Ruling<Value>
}

const NETWORK: Setting<Permission> = {
  name: 'network', flag: '--network', order: PERMISSIONS, preset: DEFAULT_POLICY.verbs.network,
}
const SANDBOX: Setting<SandboxMode> = {
  name: 'sandbox', flag: '--sandbox', order: SANDBOXES, preset: DEFAULT_POLICY.sandbox,
}

/** @throws HermesError `POLICY_DENIED` where the option asks for the network and a file says off */
export function mergeNetwork(
  option: boolean | undefined, user: PolicySource | undefined, projects: readonly PolicySource[],
): Confinement<Permission> {
  const wish = option === undefined ? undefined : option ? 'on' as const : 'off' as const
  const merged = merge(NETWORK, wish, user, projects, ({ values }) => values.verbs?.network, ['verbs', 'network'])
  if (wish === 'on' && merged.found.value === 'off') throw refused('network', merged.found)
  return merged
}

/** @throws HermesError `POLICY_DENIED` where the option asks for no sandbox and a file for one */
export function mergeSandbox(
  option: SandboxMode | undefined, user: PolicySource | undefined, projects: readonly PolicySource[],
): Confinement<SandboxMode> {
  // Of a project's file `unshare` asks for a sandbox: as a choice it could be weaker than the one that `auto` finds.
  const read = (source: PolicySource): SandboxMode | undefined => (
    source.values.sandbox === 'unshare' && projects.includes(source) ? 'auto' : source.values.sandbox
  )
  const merged = merge(SANDBOX, option, user, projects, read, ['sandbox'])
  if (option === 'none' && merged.found.value !== 'none') throw refused('sandbox none', merged.found)
  return merged
}

function merge<Value extends string>(
  { name, flag, order, preset }: Setting<Value>, option: Value | undefined, user: PolicySource | undefined,
  projects: readonly PolicySource[], read: (source: PolicySource) => Value | undefined, path: readonly string[],
): Confinement<Value> {
  const ruling = (source: PolicySource | undefined): Ruling<Value> | undefined => {
    const value = source && read(source)
    return source === undefined || value === undefined ? undefined : { value, by: source.place(...path) }
  }
  const wish = option === undefined ? undefined : { value: option, by: undefined }
  const allowed = strictest(order, [ruling(user), wish]) ?? preset
  const theirs = projects.map(ruling)
  return {
    // Of equals one that stands in a file: what nobody wrote binds less.
    found: strictest(order, allowed.by === undefined ? [...theirs, allowed] : [allowed, ...theirs]) ?? allowed,
    warnings: theirs.flatMap((one) => (one && order.indexOf(one.value) < order.indexOf(allowed.value)
      ? [`${one.by}: ${name}: ${one.value} has no effect: only ~/.hermes/config.yaml or ${flag} can say so`] : [])),
  }
}

function refused(wish: string, { by, value }: Ruling<string>): HermesError {
  return new HermesError('POLICY_DENIED', `${wish} is refused: ${by} says ${value}`, {
    hint: 'Of policy, options and flags the strictest counts: run without it, or change that line.',
  })
}
