import type { Limits } from '../../../0-contracts/src/index.js'

/** How long a program may run. */
export interface TimeLimit {
  /** The limit that applied, in milliseconds. */
  timeoutMs: number
  /** The longest a call may have, in milliseconds. */
  longestMs: number
  /** The parameter that sets it; none where a verb has no such parameter. */
  parameter?: TimeParameter
}

export interface TimeParameter {
  name: string
  /** Its unit in words where the name does not say it. */
  unit?: string
  /** Its unit in milliseconds. */
  unitMs: number
  /** The largest value its schema allows, in its unit. */
  largest?: number
}

/** `timeout` of `exec`. */
export const MILLISECONDS: TimeParameter = { name: 'timeout', unit: 'milliseconds', unitMs: 1 }
/** `timeout_seconds` of the core tools (seed 004 NFR-003). */
export const SECONDS = { name: 'timeout_seconds', unitMs: 1000, largest: 3600 } as const

/** The limit of a call: what was asked for, in the parameter's unit, else the usual; at most the longest there is. */
export function timeLimit(
  asked: number | undefined, parameter: TimeParameter,
  { commandTimeoutMs, maxCommandTimeoutMs: longestMs }: Pick<Limits, 'commandTimeoutMs' | 'maxCommandTimeoutMs'>,
): TimeLimit {
  const askedMs = asked === undefined ? commandTimeoutMs : asked * parameter.unitMs
  return { timeoutMs: Math.min(askedMs, longestMs), longestMs, parameter }
}

const BY_USER = 'only the user can raise it (--timeout)'

/** What to do about a time limit that was too short. */
export function advice({ timeoutMs, longestMs, parameter }: TimeLimit): string {
  if (parameter === undefined) {
    return `Do less in one call: the limit of ${longestMs / 1000} s applies, and ${BY_USER}.`
  }
  const { name, unit, unitMs, largest = Infinity } = parameter
  if (timeoutMs >= longestMs) {
    return `Do less in one call. The limit of ${longestMs / 1000} s applies, whatever ${name} says: ${BY_USER}.`
  }
  const most = Math.min(largest, Math.floor(longestMs / unitMs))
  if (timeoutMs / unitMs >= most) return `Do less in one call: ${name} is at most ${most}.`
  const shown = unit === undefined ? name : `${name} (${unit})`
  return `Do less in one call, or set ${shown} above ${timeoutMs / unitMs}, at most ${most}.`
}
