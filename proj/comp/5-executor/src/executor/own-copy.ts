import { isPlainObject } from '../../../0-contracts/src/index.js'

/** Room that a value takes besides its texts, in bytes; about. */
const OVERHEAD = 16

/**
 * A copy of a JSON-like value that holds nothing of the text it was read from: a part of a text keeps all of it in
 * memory. Dates, bytes and the like are kept as they are.
 *
 * @returns the copy, and about how many bytes it takes
 */
export function ownCopy<T>(value: T): { copy: T; bytes: number } {
  let bytes = 0
  const copied = (part: unknown): unknown => {
    bytes += OVERHEAD
    if (typeof part === 'string') {
      bytes += part.length
      return ownText(part)
    }
    if (Array.isArray(part)) return part.map(copied)
    if (part instanceof Uint8Array) bytes += part.length
    if (!isPlainObject(part)) return part
    const entries = Object.entries(part).map(([key, item]) => {
      bytes += key.length
      return [ownText(key), copied(item)] as const
    })
    return Object.fromEntries(entries)
  }
  return { copy: copied(value) as T, bytes }
}

/** V8 keeps a part of a text as a reference to the whole; a joined text is written out when it is read. */
function ownText(text: string): string {
  return ` ${text}`.slice(1)
}
