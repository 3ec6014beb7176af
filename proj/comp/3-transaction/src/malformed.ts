import * as v from 'valibot'

/** The error for text that is no JSON, or not in the form of its schema. */
export function isMalformed(error: unknown): error is Error {
  return error instanceof SyntaxError || v.isValiError(error)
}
