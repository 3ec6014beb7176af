import { CharSet } from './char-set.js'

/**
 * A body line `key = "value"` that nothing is wrong with: its key and decoded value, else `undefined`. The grammar is
 * nesl-js's, but for `:=` inside the quotes, which is content (contract section 1). A property test holds it equal.
 */
export function readQuotedAssignment(line: string): { key: string; value: string } | undefined {
  const equals = line.indexOf('=')
  if (equals < 1) return undefined
  const end = line.length - 1
  if (line.startsWith(' = "', equals - 1) && end > equals + 2 && line.charCodeAt(end) === 0x22
    && isPlain(line, equals + 3, end)) {
    const key = line.slice(0, equals - 1)
    if (isKey(key)) return { key, value: line.slice(equals + 3, end) }
  }
  const quoted = line.slice(equals + 1).trim()
  const last = quoted.length - 1
  if (last < 1 || quoted.charCodeAt(0) !== 0x22 || quoted.charCodeAt(last) !== 0x22) return undefined
  const key = line.slice(0, equals).trimEnd()
  if (!isKey(key)) return undefined
  if (isPlain(quoted, 1, last)) return { key, value: quoted.slice(1, -1) }
  try {
    const value: unknown = JSON.parse(quoted)
    return typeof value === 'string' ? { key, value } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** A body line that is no valid quoted assignment and holds `<<` opens a heredoc, if only for recognition. */
export function opensHeredoc(line: string): boolean {
  const angle = line.indexOf('<')
  return angle >= 0 && line.includes('<<', angle) && readQuotedAssignment(line) === undefined
}

/** No escape, control character or quote between two places. */
function isPlain(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22 || code === 0x5c || code < 0x20) return false
  }
  return true
}

const MAX_KEY = 256
const KEY = /^[\p{L}_][\p{L}\p{N}_]*$/u
const LETTERS = new CharSet('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_')

/** Starts with a letter or underscore, then letters, digits, underscores; at most 256 UTF-16 units. */
export function isKey(key: string): boolean {
  if (key.length === 0 || key.length > MAX_KEY) return false
  // Most are short words: soonest told so.
  let at = 0
  while (LETTERS.has(key.charCodeAt(at))) at++
  return at === key.length || KEY.test(key)
}
