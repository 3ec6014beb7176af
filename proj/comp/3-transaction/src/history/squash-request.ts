import { oneOf, usageError } from '../../../0-text/src/index.js'
import { SQUASH_MODES, type SquashMode, type SquashRequest } from './squash-options.js'

/** A user's command line options for a squash, unchecked. */
export interface SquashChoice {
  mode: string | undefined
  message: string | undefined
  hours: string | undefined
  days: string | undefined
  msgContains: string | undefined
  /** Also commits that are not contiguous. */
  allGroups: boolean
}

/**
 * Makes the request.
 *
 * @throws HermesError `INVALID_OPTION` for options that exclude each other
 */
export function squashRequest(choice: SquashChoice): SquashRequest {
  const { message, hours, days, msgContains: target, allGroups } = choice
  const mode = modeOf(choice)
  requireOnlyWith('hours', hours, mode)
  requireOnlyWith('days', days, mode)
  requireOnlyWith('msg_contains', target, mode)
  return {
    mode, message, hours: wholeNumber('hours', hours), days: wholeNumber('days', days),
    msg_target: target, contiguous_only: !allGroups,
  }
}

/** The mode; an option that only one mode has selects that mode. */
function modeOf({ mode: given, msgContains, hours, days }: SquashChoice): SquashMode {
  if (given === undefined) {
    if (msgContains !== undefined) return 'msg_contains'
    if (hours !== undefined) return 'hours'
    return days === undefined ? 'auto_ai' : 'days'
  }
  return oneOf('mode', given, SQUASH_MODES)
}

/** @param owner the mode that needs the option, whose flag has its name */
function requireOnlyWith(owner: 'hours' | 'days' | 'msg_contains', value: string | undefined, mode: SquashMode): void {
  const [flag, written, other] = owner === 'msg_contains' ? ['--msg-contains', 'TEXT', 'Leave --mode out.']
    : [`--${owner}`, 'N', 'Leave one of them out.']
  if (mode === owner && value === undefined) throw usageError(`Mode ${mode} needs ${flag}`, `Write ${flag} ${written}.`)
  if (mode !== owner && value !== undefined) throw usageError(`${flag} belongs to mode ${owner}, not to ${mode}`, other)
}

function wholeNumber(flag: 'hours' | 'days', value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw usageError(`Invalid number: ${value}`, `--${flag} is a whole number from 1 up.`)
}
