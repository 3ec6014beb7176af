import { parseJson, unless } from '../../../0-contracts/src/index.js'
import { parse as parseTolerant, printParseErrorCode, type ParseError } from 'jsonc-parser'
import { jsonrepair, JSONRepairError } from 'jsonrepair'
import { MAX_FIXED } from '../scanner/index.js'
import type { Flaw } from './flaw.js'

/** Deepest nesting read, in JSON and YAML alike. */
export const MAX_DEPTH = 100
/** Longest corrected JSON that a hint shows, in UTF-16 units. */
const MAX_HINT = 600

export type JsonReading = { ok: true; value: unknown; itemStarts: number[] } | { ok: false; flaw: Flaw }

/**
 * Reads RFC 8259 JSON as `JSON.parse` does, but stricter: no duplicate keys, no integers beyond 2^53, bounded depth.
 * Where a mistake can be corrected, the hint shows the corrected JSON; it is never used as the value. `itemStarts`:
 * offsets of the items where the value is an array.
 */
export function readStrictJson(text: string): JsonReading {
  const value = parseJson(text)
  // No JSON means `undefined`.
  if (value === undefined) return { ok: false, flaw: syntaxFlaw(text) }
  const itemStarts: number[] = []
  const flaw = flawIn(text, itemStarts)
  return flaw ? { ok: false, flaw } : { ok: true, value, itemStarts }
}

/** As `readStrictJson` where an object is required: no correction that only puts quotes around the text. */
export function readStrictObject(text: string): JsonReading {
  const read = readStrictJson(text)
  if (read.ok || read.flaw.mended === undefined || read.flaw.mended.startsWith('{')) return read
  const { hint: _, mended: __, ...flaw } = read.flaw
  return { ok: false, flaw }
}

/** The first syntax error with its place, which V8's messages often lack; they also differ between versions. */
function syntaxFlaw(text: string): Flaw {
  const deep = tooDeepAt(text)
  if (deep !== undefined) return { message: `Nested deeper than ${MAX_DEPTH}`, index: deep, length: 1 }
  const errors: ParseError[] = []
  parseTolerant(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false })
  const [first] = errors
  const words = first ? printParseErrorCode(first.error).replace(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    : 'Unexpected text'
  return {
    message: `Invalid JSON: ${words.charAt(0).toLowerCase()}${words.slice(1)}`,
    index: Math.min(first?.offset ?? 0, text.length),
    length: first?.length ?? 0,
    ...(breaksString(text) ? { hint: ESCAPES } : hasStrayBackslash(text) ? { hint: BACKSLASHES } : {}),
    ...mendedFlaw(text),
  }
}

const ESCAPES = String.raw`Inside strings write a line break as \n and a quote as \".`
const BACKSLASHES = String.raw`Inside strings write a backslash as \\.`

/** Whether a line ends inside a string and more text follows, so that the text is not cut off there. */
function breaksString(text: string): boolean {
  let isInside = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) isInside = !isInside
    else if (isInside && code === 0x5c) at++
    else if (isInside && code === 0x0a) return text.slice(at).trim() !== ''
  }
  return false
}

/** Where brackets outside strings nest too deep; checked first, since the parsers recurse. */
function tooDeepAt(text: string): number | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      while (++at < text.length && text.charCodeAt(at) !== 0x22 && text.charCodeAt(at) !== 0x0a) {
        if (text.charCodeAt(at) === 0x5c) at++
      }
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH) return at
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return undefined
}

function mendedFlaw(text: string): Pick<Flaw, 'hint' | 'mended'> {
  const json = mended(text)
  if (json === undefined) return {}
  const hint = json.length > MAX_HINT
    ? `${breaksString(text) ? `${ESCAPES} ` : ''}Write it as strict JSON, starting: ${json.slice(0, MAX_HINT)}…`
    : `Write: ${json}`
  return { hint, mended: json }
}

function mended(text: string): string | undefined {
  if (text.length > MAX_FIXED) return undefined
  return unless((error) => error instanceof JSONRepairError || error instanceof RangeError, () => {
    const json = jsonrepair(text).trim()
    // Quoted words would be valid JSON, but no arguments.
    const isMeant = /^[{[]/.test(json) && readStrictJson(json).ok && isSameData(text, json) && hasStringsOf(text, json)
    return isMeant ? json : undefined
  }, undefined)
}

/** Whether all strings of the corrected JSON stand in the text: no backslash or quote is lost or changed. */
function hasStringsOf(text: string, json: string): boolean {
  const said = unescaped(text)
  if (said === undefined) return false
  let from = 0
  for (let at = json.indexOf('"'); at >= 0; at = json.indexOf('"', at)) {
    const end = stringEnd(json, at)
    const string = JSON.parse(json.slice(at, end + 1)) as string
    const index = said.indexOf(string, from)
    if (index < 0) return false
    from = index + string.length
    at = end + 1
  }
  return true
}

/** The text with its escapes decoded; `undefined` where one is invalid: `\d` may be meant as `\\d` or as `d`. */
function unescaped(text: string): string | undefined {
  if (hasStrayBackslash(text)) return undefined
  return text.replace(ESCAPE, (escape) => (escape === "\\'" ? "'" : JSON.parse(`"${escape}"`) as string))
}

const ESCAPE = /\\(?:u[\da-fA-F]{4}|[^])?/g

function hasStrayBackslash(text: string): boolean {
  for (const [escape] of text.matchAll(ESCAPE)) {
    if (!/^\\(?:u[\da-fA-F]{4}|["'\\/bfnrt])$/.test(escape)) return true
  }
  return false
}

/** Whether a correction only adds or removes brackets at the end, never part of a value. */
function isSameData(text: string, json: string): boolean {
  const [before, after] = [skeleton(text), skeleton(json)]
  if (before === after) return true
  if (/[,:[{]\s*$/.test(text)) return false
  const [short, long] = before.length < after.length ? [before, after] : [after, before]
  return long.startsWith(short) && /^[}\]]+$/.test(long.slice(short.length)) && quotes(text) === quotes(json)
}

function quotes(text: string): number {
  return text.split('"').length
}

/** A text without all that corrections may change: quotes, commas, line breaks, Python's names. */
function skeleton(json: string): string {
  return json
    .replace(/\bNone\b/g, 'null').replace(/\b(?:True|False)\b/g, (word) => word.toLowerCase())
    .replace(/\\[nrt]/g, '').replace(/["'`\u2018-\u201d\\,\s]/g, '')
}

/** The first flaw of text that is known to be valid JSON; `itemStarts` receives where its items begin. */
function flawIn(text: string, itemStarts: number[]): Flaw | undefined {
  /** For each open object the set of its keys, for each open array `undefined`. */
  const open: (Set<string> | undefined)[] = []
  let expectKey = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code <= 0x20 || code === 0x3a) continue
    if (open.length === 1 && open[0] === undefined && code !== 0x2c && code !== 0x5d) itemStarts.push(at)
    if (code === 0x22) {
      const end = stringEnd(text, at)
      const keys = open.at(-1)
      if (keys && expectKey) {
        const key = JSON.parse(text.slice(at, end + 1)) as string
        if (keys.has(key)) {
          return { message: `Duplicate key '${key}'`, index: at, length: end + 1 - at, hint: 'Give each key once.' }
        }
        keys.add(key)
        expectKey = false
      }
      at = end
    } else if (code === 0x7b || code === 0x5b) {
      if (open.length >= MAX_DEPTH) return { message: `Nested deeper than ${MAX_DEPTH}`, index: at, length: 1 }
      open.push(code === 0x7b ? new Set() : undefined)
      expectKey = code === 0x7b
    } else if (code === 0x7d || code === 0x5d) open.pop()
    else if (code === 0x2c) expectKey = open.at(-1) !== undefined
    else {
      const token = /[^\s,\]}]+/y
      token.lastIndex = at
      const word = token.exec(text)![0]
      if (/^-?\d/.test(word) && isInexact(Number(word))) return bigInteger(word, at)
      at += word.length - 1
    }
  }
  return undefined
}

export function bigInteger(word: string, index: number): Flaw {
  return {
    message: `Integer ${word.slice(0, 40)} is beyond 2^53`, index, length: word.length, hint: 'Write it as a string.',
  }
}

/** Whether a number is an integer beyond 2^53, in any notation, or infinite. */
export function isInexact(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))
}

function stringEnd(text: string, from: number): number {
  let at = from + 1
  while (text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1
  return at
}
