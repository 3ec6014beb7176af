import { HermesError } from '../../contracts/src/index.js'
import type { JobSettings } from './job-schema.js'

type Execution = JobSettings['execution']

/** What a worker was started with: no job goes beyond it. */
export interface Ceiling {
  /** `undefined`: the policy's, else `auto`. */
  sandbox?: 'auto' | 'bwrap' | 'none' | undefined
  network: boolean
  yes: boolean
  timeoutMs?: number | undefined
  /** `undefined`: all. */
  toolsets?: readonly string[] | undefined
}

const STRENGTH = { none: 0, auto: 1, bwrap: 2 } as const

/**
 * Says why a job asks for more than the worker was started with. It is told and not cut: a result under other settings would
 * look like a drift.
 */
export function beyondCeiling(execution: Execution, ceiling: Ceiling): HermesError | undefined {
  const { sandbox, network, yes, toolsets } = execution
  const refused = (flag: string): HermesError => new HermesError('POLICY_DENIED', `The worker was not started with ${flag}, which the replay asks for`, {
    hint: `Start workers with ${flag}, or replay without it.`,
  })
  if (sandbox === 'none' && ceiling.sandbox !== 'none') return refused('--sandbox none')
  if (network === true && !ceiling.network) return refused('--network')
  if (yes === true && !ceiling.yes) return refused('--yes')
  const own = ceiling.toolsets
  const more = own && toolsets?.find((one) => !own.includes(one))
  return more === undefined ? undefined : refused(`--toolset ${more}`)
}

/** The settings a job runs under: of its own and of the worker's the stricter. */
export function underCeiling({ yes, ...execution }: Execution, ceiling: Ceiling): Execution & { yes: boolean } {
  const { sandbox, timeoutMs, toolsets, ...rest } = execution
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
function sandboxOf(asked: Execution['sandbox'], own: Ceiling['sandbox']): Execution['sandbox'] {
  if (own === undefined) return asked === 'bwrap' ? asked : undefined
  return asked !== undefined && STRENGTH[asked] > STRENGTH[own] ? asked : own
}
