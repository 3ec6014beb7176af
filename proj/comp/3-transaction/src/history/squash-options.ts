import { HermesError } from '../../../0-contracts/src/index.js'

export const SQUASH_MODES = ['auto_ai', 'ai_messages', 'hours', 'days', 'msg_contains'] as const
export type SquashMode = typeof SQUASH_MODES[number]

/** Parameters of `git_squash`. */
export interface SquashRequest {
  /** Which commits. `auto_ai`: those made by hermes; `ai_messages`: those with a subject that begins with `AI: `. */
  mode: SquashMode
  /** Message of each new commit. Default: made of the subjects. */
  message?: string | undefined
  /** With mode `hours`: commits of the last N hours, by committer date. */
  hours?: number | undefined
  days?: number | undefined
  /** With mode `msg_contains`: text that the message must contain, case-sensitive. */
  msg_target?: string | undefined
  /** True: only the unbroken run of selected commits that ends at HEAD; false: every such run. Default true. */
  contiguous_only?: boolean | undefined
}

const NEEDED = { hours: 'hours', days: 'days', msg_target: 'msg_contains' } as const

/** @throws HermesError `MISSING_PARAMETER`, `INVALID_PARAMETER` */
export function checkRequest(request: SquashRequest): void {
  for (const [name, mode] of Object.entries(NEEDED) as [keyof typeof NEEDED, SquashMode][]) {
    const value = request[name]
    if (mode === request.mode && value === undefined) {
      throw new HermesError('MISSING_PARAMETER', `Missing required parameter: ${name}`, {
        hint: `Mode ${mode} needs ${name}.`,
      })
    }
    if (mode !== request.mode && value !== undefined) {
      throw new HermesError('INVALID_PARAMETER', `squash: ${name} belongs to mode ${mode}, not to ${request.mode}`, {
        hint: `Leave ${name} out, or use mode ${mode}.`,
      })
    }
    if (typeof value === 'number' && !(Number.isInteger(value) && value >= 1)) {
      throw new HermesError('INVALID_PARAMETER', `Invalid integer value: ${value}`, {
        hint: `${name} is a whole number from 1 up.`,
      })
    }
  }
  if (request.msg_target === '') {
    throw new HermesError('INVALID_PARAMETER', 'squash: msg_target cannot be empty', {
      hint: 'Give the text to look for.',
    })
  }
  if (request.message?.trim() === '') {
    throw new HermesError('INVALID_PARAMETER', 'squash: message cannot be empty', {
      hint: 'Leave message out to have it made from the subjects.',
    })
  }
}
