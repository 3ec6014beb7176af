import { HermesError, hostsBeyond, type NetworkReach, type SandboxMode } from '../../../0-contracts/src/index.js'

/** The options of a job that a worker may refuse. */
export interface AskedExecution {
  sandbox?: SandboxMode | undefined
  network?: NetworkReach | undefined
  yes?: boolean | undefined
  timeoutMs?: number | undefined
  toolsets?: string[] | undefined
}

/** Limits that a worker was started with, for all jobs. */
export interface Ceiling {
  /** `undefined`: as the policy says, else `auto`. */
  sandbox?: SandboxMode | undefined
  network: NetworkReach
  yes: boolean
  timeoutMs?: number | undefined
  /** `undefined`: all. */
  toolsets?: readonly string[] | undefined
}

/** `unshare` confines less than `auto` may, so a job cannot choose it instead. */
const STRENGTH = { none: 0, auto: 1, unshare: 1, bwrap: 2 } as const satisfies Record<SandboxMode, number>

/**
 * The error for a job that asks for more than the worker was started with. Its options are not reduced: a result under
 * other options would look like a drift.
 *
 * @param who asks, e.g. `replay`
 */
export function beyondCeiling(execution: AskedExecution, ceiling: Ceiling, who: string): HermesError | undefined {
  const { sandbox, network, yes, toolsets } = execution
  const refused = (flag: string): HermesError => new HermesError(
    'POLICY_DENIED', `The worker was not started with ${flag}, which the ${who} asks for`,
    { hint: `Start workers with ${flag}, or ${who} without it.` },
  )
  if (sandbox === 'none' && ceiling.sandbox !== 'none') return refused('--sandbox none')
  const beyond = networkBeyond(network, ceiling.network)
  if (beyond !== undefined) return refused(beyond)
  if (yes === true && !ceiling.yes) return refused('--yes')
  const own = ceiling.toolsets
  const more = own && toolsets?.find((toolset) => !own.includes(toolset))
  return more === undefined ? undefined : refused(`--toolset ${more}`)
}

/** The flag that would allow the network that a job asks for; `undefined` if it is allowed. */
function networkBeyond(asked: NetworkReach = false, own: NetworkReach): string | undefined {
  if (asked === false || own === true) return undefined
  if (asked === true) return '--network'
  const [host] = own === false ? asked : hostsBeyond(asked, own)
  return host && `--network=${host}`
}

/** The options to run a job with: the stricter of its own and the worker's. */
export function underCeiling<Execution extends AskedExecution>(
  { yes, sandbox, timeoutMs, toolsets, ...rest }: Execution, ceiling: Ceiling,
): Omit<Execution, 'yes' | 'sandbox' | 'timeoutMs' | 'toolsets'> & AskedExecution & { yes: boolean } {
  // If the job does not set it, its policy decides, which may allow more than the worker's hosts.
  const network = rest.network ?? (typeof ceiling.network === 'object' ? false : undefined)
  const time = Math.min(timeoutMs ?? Infinity, ceiling.timeoutMs ?? Infinity)
  const verbs = toolsets ?? ceiling.toolsets
  return {
    ...rest, yes: yes === true && ceiling.yes, sandbox: sandboxOf(sandbox, ceiling.sandbox), network,
    timeoutMs: time === Infinity ? undefined : time, toolsets: verbs && [...verbs],
  }
}

/** A job's `auto` sets nothing where the worker leaves it to its policy, which may be stricter. */
function sandboxOf(asked: Ceiling['sandbox'], own: Ceiling['sandbox']): Ceiling['sandbox'] {
  if (own === undefined) return asked === 'bwrap' ? asked : undefined
  return asked !== undefined && STRENGTH[asked] > STRENGTH[own] ? asked : own
}
