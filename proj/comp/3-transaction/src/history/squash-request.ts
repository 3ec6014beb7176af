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
  requireOnlyWith('hours', mode, choice)
  requireOnlyWith('days', mode, choice)
  if (mode === 'msg_contains' && target === undefined) {
    throw usageError('Mode msg_contains needs --msg-contains', 'Write --msg-contains TEXT.')
  }
  if (mode !== 'msg_contains' && target !== undefined) {
    throw usageError(`--msg-contains belongs to mode msg_contains, not to ${mode}`, 'Leave --mode out.')
  }
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

function requireOnlyWith(flag: 'hours' | 'days', mode: SquashMode, choice: SquashChoice): void {
  if (mode === flag && choice[flag] === undefined) {
    throw usageError(`Mode ${mode} needs --${flag}`, `Write --${flag} N.`)
  }
  if (mode !== flag && choice[flag] !== undefined) {
    throw usageError(`--${flag} belongs to mode ${flag}, not to ${mode}`, `Leave one of them out.`)
  }
}

function wholeNumber(flag: 'hours' | 'days', value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw usageError(`Invalid number: ${value}`, `--${flag} is a whole number from 1 up.`)
}
