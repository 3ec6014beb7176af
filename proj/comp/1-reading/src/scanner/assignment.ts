import { parseJson } from '../../../0-contracts/src/index.js'
import { CharSet } from './char-set.js'

/**
 * Key and decoded value of a valid body line `key = "value"`; else `undefined`. The grammar is nesl-js's, except that
 * `:=` inside quotes is content. A property test compares both.
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
  const value = parseJson(quoted)
  return typeof value === 'string' ? { key, value } : undefined
}

/** Whether a body line opens a heredoc, if only a malformed one: it contains `<<` and is no valid quoted assignment. */
export function opensHeredoc(line: string): boolean {
  const angle = line.indexOf('<')
  return angle >= 0 && line.includes('<<', angle) && readQuotedAssignment(line) === undefined
}

/** Whether a range has no escape, control character or quote. */
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
  // Fast path for the usual short words.
  let at = 0
  while (LETTERS.has(key.charCodeAt(at))) at++
  return at === key.length || KEY.test(key)
}
