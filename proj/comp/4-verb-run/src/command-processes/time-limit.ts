import { type Limits, settingName } from '../../../0-contracts/src/index.js'

/** Time limit of a program. */
export interface TimeLimit {
  /** The limit that applied, in milliseconds. */
  timeoutMs: number
  /** The longest limit that a call may ask for, in milliseconds. */
  longestMs: number
  /** The parameter that sets it; `undefined` if the verb has none. */
  parameter?: TimeParameter
}

export interface TimeParameter {
  name: string
  /** Its unit in words, if the name does not say it. */
  unit?: string
  /** Its unit in milliseconds. */
  unitMs: number
  /** The largest value its schema allows, in its unit. */
  largest?: number
}

/** `timeout` of `exec`. */
export const MILLISECONDS: TimeParameter = { name: 'timeout', unit: 'milliseconds', unitMs: 1 }
/** `timeout_seconds` of the core tools. */
export const SECONDS = { name: 'timeout_seconds', unitMs: 1000, largest: 3600 } as const

/** The limit of a call: the value given, in the parameter's unit, else the default; at most the longest allowed. */
export function timeLimit(
  asked: number | undefined, parameter: TimeParameter,
  { commandTimeoutMs, maxCommandTimeoutMs: longestMs }: Pick<Limits, 'commandTimeoutMs' | 'maxCommandTimeoutMs'>,
): TimeLimit {
  const askedMs = asked === undefined ? commandTimeoutMs : asked * parameter.unitMs
  return { timeoutMs: Math.min(askedMs, longestMs), longestMs, parameter }
}

const byUser = (): string => `only the user can raise it (${settingName('timeoutMs')})`

/** What to do about a time limit that was too short. */
export function advice({ timeoutMs, longestMs, parameter }: TimeLimit): string {
  if (parameter === undefined) {
    return `Do less in one call: the limit of ${longestMs / 1000} s applies, and ${byUser()}.`
  }
  const { name, unit, unitMs, largest = Infinity } = parameter
  if (timeoutMs >= longestMs) {
    return `Do less in one call. The limit of ${longestMs / 1000} s applies, whatever ${name} says: ${byUser()}.`
  }
  const most = Math.min(largest, Math.floor(longestMs / unitMs))
  if (timeoutMs / unitMs >= most) return `Do less in one call: ${name} is at most ${most}.`
  const shown = unit === undefined ? name : `${name} (${unit})`
  return `Do less in one call, or set ${shown} above ${timeoutMs / unitMs}, at most ${most}.`
}
