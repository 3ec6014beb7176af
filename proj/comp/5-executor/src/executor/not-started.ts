import { CANCELLED_BEFORE_START, STOPPED_BEFORE_START, type HermesError } from '../../../0-contracts/src/index.js'
import type { Outcome } from './failures.js'

/** Why the run was stopped before a block. */
export interface Stop {
  /** A hook said so. */
  hook: string | undefined
  fatalError: string | undefined
  /** The other machine on which it would have run is not reached. */
  unreached?: HermesError | undefined
}

/** The outcome of a block whose turn came when the run was stopped. */
export function notStarted({ hook, fatalError, unreached }: Stop): Outcome {
  if (hook !== undefined) {
    return {
      success: false, code: 'HOOK_FAILED', error: `Not started: ${hook}`,
      hint: 'Nothing of the answer ran. Send it again when what the hook checks is as it should be.',
    }
  }
  if (unreached !== undefined) {
    const { code, message, hint } = unreached
    return { success: false, code, error: `Not started: ${message}`, ...(hint !== undefined && { hint }) }
  }
  return {
    success: false,
    code: 'CANCELLED',
    error: fatalError === undefined ? CANCELLED_BEFORE_START : STOPPED_BEFORE_START,
    hint: 'Run the block again.',
  }
}
