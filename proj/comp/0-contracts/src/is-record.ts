import { unlessThrown } from './errors.js'

/** An object with fields: no list, and not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object as a literal makes it; dates, bytes and errors are none. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * Deepest nesting of lists and objects that is read from outside: far more than data has, far less than a stack holds.
 */
export const MOST_NESTING = 256

/** True for a value of JSON with more levels of lists and objects than `most`. */
export function nestsDeeper(value: unknown, most = MOST_NESTING): boolean {
  if (typeof value !== 'object' || value === null) return false
  return most === 0 || Object.values(value).some((inner) => nestsDeeper(inner, most - 1))
}

/** What a text says as JSON; `undefined` where it is none. */
export function parseJson(text: string): unknown {
  return unlessThrown(SyntaxError, () => JSON.parse(text), undefined)
}
