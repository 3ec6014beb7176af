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
  return caught(kind, look, () => nothing)
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
  return caught((error): error is Error => isExpected(error), look, () => nothing)
}

/** A class of errors, or a check that an error is of some kind. */
type ErrorKind<E> = (abstract new (...args: never[]) => E) | ((error: unknown) => error is E)

/** The result of `work`; where it fails with an error of this kind, what `instead` makes of the error. */
export function caught<E extends Error, T, N>(kind: ErrorKind<E>, work: () => T, instead: (error: E) => N): T | N {
  try {
    return work()
  } catch (error) {
    if (isOfKind(kind, error)) return instead(error)
    throw error
  }
}

/** As `caught`, of work that takes its time. */
export async function caughtLater<E extends Error, T, N>(
  kind: ErrorKind<E>, work: () => T | PromiseLike<T>, instead: (error: E) => N,
): Promise<T | N> {
  try {
    return await work()
  } catch (error) {
    if (isOfKind(kind, error)) return instead(error)
    throw error
  }
}

function isOfKind<E extends Error>(kind: ErrorKind<E>, error: unknown): error is E {
  return isErrorClass(kind) ? error instanceof kind : kind(error)
}

function isErrorClass<E>(kind: ErrorKind<E>): kind is abstract new (...args: never[]) => E {
  return kind.prototype instanceof Error || (kind as unknown) === Error
}
