import type { ErrorCode } from './codes.js'

export interface HermesErrorDetails {
  /** What to write or do instead; one or more lines. */
  hint?: string | undefined
  /** What is known all the same, e.g. the output of a command that failed. */
  data?: unknown
  cause?: unknown
}

/**
 * The one error class of hermes. Verb handlers throw it for failures, which become results; wrong options and
 * double registrations throw it at the caller.
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

/** What a look at the system finds, or `nothing` where it fails with one of Node's errors. */
export function orNothing<T, N>(look: () => T, nothing: N): T | N {
  try {
    return look()
  } catch (error) {
    if (isNodeError(error)) return nothing
    throw error
  }
}
