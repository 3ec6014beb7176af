import { squash as squashCommits, SQUASH_MODES } from '../../../git-history/src/index.js'
import type { SquashMode, SquashRequest } from '../../../git-history/src/index.js'
import { renderSquash } from '../../../reports/src/index.js'
import { oneOf, usageError, type Arguments } from '../arguments.js'
import { historyCommand } from '../history-command.js'

/** `hermes squash`: one commit of several that are not pushed yet. */
export function squash(args: Arguments): Promise<number> {
  const request = requestOf(args)
  return historyCommand(args, options => squashCommits(options, request), renderSquash)
}

function requestOf(args: Arguments): SquashRequest {
  const mode = modeOf(args)
  const target = args.value('msg-contains')
  requireOnlyWith('hours', mode, args)
  requireOnlyWith('days', mode, args)
  if (mode === 'msg_contains' && target === undefined) {
    throw usageError('Mode msg_contains needs --msg-contains', 'Write --msg-contains TEXT.')
  }
  if (mode !== 'msg_contains' && target !== undefined) {
    throw usageError(`--msg-contains belongs to mode msg_contains, not to ${mode}`, 'Leave --mode out.')
  }
  return {
    mode, message: args.value('message'), hours: wholeNumber('hours', args), days: wholeNumber('days', args),
    msg_target: target, contiguous_only: !args.has('all-groups'),
  }
}

/** A flag that only one mode takes stands for that mode. */
function modeOf(args: Arguments): SquashMode {
  const given = args.value('mode')
  if (given === undefined) {
    if (args.has('msg-contains')) return 'msg_contains'
    if (args.has('hours')) return 'hours'
    return args.has('days') ? 'days' : 'auto_ai'
  }
  return oneOf('mode', given, SQUASH_MODES)
}

function requireOnlyWith(flag: 'hours' | 'days', mode: SquashMode, args: Arguments): void {
  if (mode === flag && !args.has(flag)) throw usageError(`Mode ${mode} needs --${flag}`, `Write --${flag} N.`)
  if (mode !== flag && args.has(flag)) {
    throw usageError(`--${flag} belongs to mode ${flag}, not to ${mode}`, `Leave one of them out.`)
  }
}

function wholeNumber(flag: 'hours' | 'days', args: Arguments): number | undefined {
  const value = args.value(flag)
  if (value === undefined) return undefined
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw usageError(`Invalid number: ${value}`, `--${flag} is a whole number from 1 up.`)
}
