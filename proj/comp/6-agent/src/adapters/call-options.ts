import { HermesError } from '../../../0-contracts/src/index.js'

/** What the functions that run the calls of a response take besides. */
export interface CallOptions {
  /** Aborting it kills the running command; calls not yet started are answered with `CANCELLED`. */
  signal?: AbortSignal | undefined
  /** Names of tools that are not of hermes: their calls are left to the caller, and get no answer. */
  except?: readonly string[] | undefined
  /**
   * Longest `data` of one answer, in characters of JSON; default 50,000. In a longer one long texts and lists are
   * shortened, and the answer's hint says so.
   */
  maxDataLength?: number | undefined
}

const MAX_DATA_LENGTH = 50_000
/** Below it nothing readable would be left. */
const LEAST = 1000

/** @throws HermesError `INVALID_OPTION` */
export function readMaxDataLength({ maxDataLength = MAX_DATA_LENGTH }: Pick<CallOptions, 'maxDataLength'>): number {
  if (typeof maxDataLength === 'number' && maxDataLength >= LEAST) return maxDataLength
  throw new HermesError('INVALID_OPTION', `Invalid option maxDataLength: ${String(maxDataLength)}`, {
    hint: `Give a number of characters, at least ${LEAST}.`,
  })
}
