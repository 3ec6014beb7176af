import { HermesError, type SandboxMode } from '../../../0-contracts/src/index.js'

/** What a job asks for, of what a worker may refuse. */
export interface AskedExecution {
  sandbox?: SandboxMode | undefined
  network?: boolean | undefined
  yes?: boolean | undefined
  timeoutMs?: number | undefined
  toolsets?: string[] | undefined
}

/** What a worker was started with: no job goes beyond it. */
export interface Ceiling {
  /** `undefined`: the policy's, else `auto`. */
  sandbox?: SandboxMode | undefined
  network: boolean
  yes: boolean
  timeoutMs?: number | undefined
  /** `undefined`: all. */
  toolsets?: readonly string[] | undefined
}

/** `unshare` does less than what `auto` may find: a job cannot choose it in place of that. */
const STRENGTH = { none: 0, auto: 1, unshare: 1, bwrap: 2 } as const satisfies Record<SandboxMode, number>

/**
 * Says why a job asks for more than the worker was started with. It is told and not cut:
 * a result under other settings would look like a drift.
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
  if (network === true && !ceiling.network) return refused('--network')
  if (yes === true && !ceiling.yes) return refused('--yes')
  const own = ceiling.toolsets
  const more = own && toolsets?.find((one) => !own.includes(one))
  return more === undefined ? undefined : refused(`--toolset ${more}`)
}

/** The settings a job runs under: of its own and of the worker's the stricter. */
export function underCeiling<Execution extends AskedExecution>(
  { yes, sandbox, timeoutMs, toolsets, ...rest }: Execution, ceiling: Ceiling,
): Omit<Execution, 'yes' | 'sandbox' | 'timeoutMs' | 'toolsets'> & AskedExecution & { yes: boolean } {
  const stricter = sandboxOf(sandbox, ceiling.sandbox)
  const time = Math.min(timeoutMs ?? Infinity, ceiling.timeoutMs ?? Infinity)
  const verbs = toolsets ?? ceiling.toolsets
  return {
    ...rest, yes: yes === true && ceiling.yes,
    ...(stricter !== undefined && { sandbox: stricter }),
    ...(time !== Infinity && { timeoutMs: time }),
    ...(verbs && { toolsets: [...verbs] }),
  }
}

/** `auto` of a job says nothing where the worker leaves it to its policy, which may want more. */
function sandboxOf(asked: Ceiling['sandbox'], own: Ceiling['sandbox']): Ceiling['sandbox'] {
  if (own === undefined) return asked === 'bwrap' ? asked : undefined
  return asked !== undefined && STRENGTH[asked] > STRENGTH[own] ? asked : own
}
