import type { ErrorCode } from './codes.js'

/** What an error says besides its code and message. */
export interface HermesErrorDetails {
  /** What to write or do instead; one or more lines. */
  hint?: string | undefined
  /** What is known despite the failure, e.g. the output of a command that failed. */
  data?: unknown
  cause?: unknown
}

/**
 * The one error class of hermes. Verb handlers throw it, and the executor makes a result of it; for wrong options and
 * double registrations it reaches the caller.
 */
export class HermesError extends Error {
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly data: unknown

  constructor(code: ErrorCode, message: string, details: HermesErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'HermesError'
    this.code = code
    this.hint = details.hint
    this.data = details.data
  }
}

/** True for the errors Node's own modules raise (`code` such as `ENOENT`). */
export function isNodeError(error: unknown): error is Error & { code: string; path?: string; syscall?: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && !(error instanceof HermesError)
}

/** The result of `look`, or `nothing` where `look` fails with one of Node's errors. */
export function orNothing<T, N>(look: () => T, nothing: N): T | N {
  return unless(isNodeError, look, nothing)
}

/** As `orNothing`, where hermes itself refuses with a HermesError. */
export function unlessRefused<T, N>(look: () => T, nothing: N): T | N {
  return unlessThrown(HermesError, look, nothing)
}

/** As `orNothing`, with errors of a class. */
export function unlessThrown<T, N>(
  kind: abstract new (...args: never[]) => Error, look: () => T, nothing: N,
): T | N {
  return unless((error) => error instanceof kind, look, nothing)
}

/** As `orNothing`, where the system or hermes itself refuses. */
export function ifPossible<T, N>(look: () => T, nothing: N): T | N {
  return unless((error) => error instanceof HermesError || isNodeError(error), look, nothing)
}

/** As `orNothing`, where Node's error has one of these codes. */
export function unlessCode<T, N>(codes: readonly string[], look: () => T, nothing: N): T | N {
  return unless((error) => isNodeError(error) && codes.includes(error.code), look, nothing)
}

/** As `orNothing`, with errors that a condition holds for. */
export function unless<T, N>(isExpected: (error: unknown) => boolean, look: () => T, nothing: N): T | N {
  try {
    return look()
  } catch (error) {
    if (isExpected(error)) return nothing
    throw error
  }
}
