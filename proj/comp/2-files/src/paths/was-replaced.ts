import { HermesError } from '../../../0-contracts/src/index.js'

/**
 * Whether a file that was found and approved could not be read since another program put a link in its way meanwhile,
 * or a pipe in its place: a search passes over it, as over one that vanished.
 */
export function wasReplaced(error: unknown): error is HermesError {
  return error instanceof HermesError && (error.code === 'POLICY_DENIED' || error.code === 'NOT_TEXT')
}
