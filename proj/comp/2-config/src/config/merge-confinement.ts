import {
  commonHosts, HermesError, hostsBeyond, readHosts, type NetworkReach, type Permission, type Ruling,
  type SandboxMode,
} from '../../../0-contracts/src/index.js'
import { DEFAULT_POLICY } from './defaults.js'
import { shownOwnFile } from './hermes-home.js'
import type { PolicySource } from './source.js'
import { PERMISSIONS, SANDBOXES, strictest } from './strictest.js'

interface Confinement<Value> {
  ruling: Ruling<Value>
  /** Settings of a project's file that are not permitted, one line each. */
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

interface NetworkConfinement extends Confinement<Permission> {
  /** The only allowed hosts; absent where none are named. */
  hosts?: Ruling<readonly string[]>
}

/**
 * @param option a list: the hosts that the user names
 * @throws HermesError `POLICY_DENIED` where the option asks for the network, or for a host, and a file does not allow
 *   it
 */
export function mergeNetwork(
  option: NetworkReach | undefined, user: PolicySource | undefined, projects: readonly PolicySource[],
): NetworkConfinement {
  const named = Array.isArray(option) ? option as readonly string[] : undefined
  const wish = option === undefined ? undefined : option !== false ? 'on' as const : 'off' as const
  const merged = merge(NETWORK, wish, user, projects, permissionIn, ['verbs', 'network'])
  if (wish === 'on' && merged.ruling.value === 'off') throw refused('network', merged.ruling)
  const [ofUser] = user ? hostsIn(user) : []
  const allowed = ofUser && named ? { value: commonHosts(named, ofUser.value), by: ofUser.by }
    : named ? { value: named, by: undefined } : ofUser
  const hosts = projects.flatMap(hostsIn).reduce((all: Ruling<readonly string[]> | undefined, ruling) => (
    all === undefined ? ruling : hostsBeyond(all.value, ruling.value).length > 0
      ? { value: commonHosts(all.value, ruling.value), by: ruling.by } : all
  ), allowed)
  if (hosts === undefined || merged.ruling.value === 'off') return merged
  const [beyond] = named ? hostsBeyond(named, hosts.value) : []
  if (beyond !== undefined) {
    throw refused(`network ${beyond}`, { value: hosts.value.join(', ') || 'other hosts', by: hosts.by })
  }
  const vain = allowed === undefined ? [] : projects.flatMap(hostsIn).flatMap(({ value, by }) => (
    hostsBeyond(value, allowed.value).map((host) => (
      `${by}: network: ${host} has no effect: only ${shownOwnFile()} or ${NETWORK.flag} can say so`
    ))
  ))
  const warnings = [...merged.warnings, ...vain]
  // Lists without a common host leave nothing.
  if (hosts.value.length === 0) return { ruling: { value: 'off', by: hosts.by }, warnings }
  return { ruling: merged.ruling, hosts, warnings }
}

/** The permission in a source; a list permits the network, for these hosts. */
function permissionIn({ values }: PolicySource): Permission | undefined {
  const written = values.verbs?.network
  return Array.isArray(written) ? 'on' : written
}

function hostsIn({ values, place }: PolicySource): Ruling<readonly string[]>[] {
  const written = values.verbs?.network
  return Array.isArray(written) ? [{ value: readHosts(written), by: place('verbs', 'network') }] : []
}

/** @throws HermesError `POLICY_DENIED` where the option asks for no sandbox and a file requires one */
export function mergeSandbox(
  option: SandboxMode | undefined, user: PolicySource | undefined, projects: readonly PolicySource[],
): Confinement<SandboxMode> {
  // In a project's file `unshare` only asks for some sandbox, since it could be weaker than what `auto` finds.
  const read = (source: PolicySource): SandboxMode | undefined => (
    source.values.sandbox === 'unshare' && projects.includes(source) ? 'auto' : source.values.sandbox
  )
  const merged = merge(SANDBOX, option, user, projects, read, ['sandbox'])
  if (option === 'none' && merged.ruling.value !== 'none') throw refused('sandbox none', merged.ruling)
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
    // Among equals prefer one from a file over a default.
    ruling: strictest(order, allowed.by === undefined ? [...theirs, allowed] : [allowed, ...theirs]) ?? allowed,
    warnings: theirs.flatMap((project) => (project && order.indexOf(project.value) < order.indexOf(allowed.value)
      ? [`${project.by}: ${name}: ${project.value} has no effect: only ${shownOwnFile()} or ${flag} can say so`] : [])),
  }
}

function refused(wish: string, { by, value }: Ruling<string>): HermesError {
  return new HermesError('POLICY_DENIED', `${wish} is refused: ${by} says ${value}`, {
    hint: 'Of policy, options and flags the strictest counts: run without it, or change that line.',
  })
}
