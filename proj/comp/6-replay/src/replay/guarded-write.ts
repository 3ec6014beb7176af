import { caught, HermesError, isNodeError } from '../../../0-contracts/src/index.js'

/** What is said where something cannot be written: with the system's code behind it, and what to do. */
export interface WriteFailure {
  what: string
  hint: string
  /** What to do where the disk is full. Default: `hint`. */
  fullHint?: string
}

/** Writes something. @throws HermesError with the system's code */
export function guardedWrite<T>({ what, hint, fullHint = hint }: WriteFailure, write: () => T): T {
  return caught(isNodeError, write, (error) => {
    throw new HermesError(error.code, `${what} (${error.code})`, {
      hint: error.code === 'ENOSPC' ? fullHint : hint, cause: error,
    })
  })
}
