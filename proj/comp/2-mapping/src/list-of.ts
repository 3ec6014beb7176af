import { parseJson } from '../../0-contracts/src/index.js'

/** The value where a list is wanted: calls written as XML or SHAM have the JSON text of one. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  const read = typeof value === 'string' && /^\s*\[/.test(value) ? parseJson(value) : value
  return Array.isArray(read) ? read : undefined
}
