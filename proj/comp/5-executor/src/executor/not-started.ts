import { CANCELLED_BEFORE_START, STOPPED_BEFORE_START, type HermesError } from '../../../0-contracts/src/index.js'
import type { Outcome } from './failures.js'

/**
 * The outcome of a block whose turn came when the run was stopped.
 *
 * @param hook a hook said so
 * @param unreached the other machine on which it would have run is not reached
 */
export function notStarted(
  hook: string | undefined, fatalError: string | undefined, unreached: HermesError | undefined,
): Outcome {
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
