import { foldUnits, indentLength, type Span, textFinder } from '../engine/index.js'
import type { LineFinder } from './find-lines.js'
import { linesFrom, type TextLine } from './lines-from.js'

/** Where an anchor line (named after `@@`) stands, and the block that belongs to it. */
export interface Scope {
  /** Offset of the line itself. */
  start: number
  /** Offset behind the anchor line. */
  bodyStart: number
  /** Offset behind the lines that are indented deeper, and those that close them. */
  end: number
}

/** Most scopes to keep: more would not help, and this bounds the work. */
const MOST_SCOPES = 64
const CONTINUES = /^(?:[)\]}{]|(?:else|elif|except|finally|catch|rescue|ensure|end|fi|done)\b)/

/** The scopes, or the first anchor that was not found. */
export type Scopes = { scopes: Scope[]; missing?: undefined } | { scopes: readonly []; missing: string }

/**
 * The scopes that a chain of anchors (`@@ class A`, `@@ def f`) may mean: each anchor is searched in the scope of the
 * one before, else anywhere behind it. An anchor is a whole line without its indentation, or the beginning of one.
 */
export function scopesOf(text: string, anchors: readonly string[], lines: LineFinder): Scopes {
  let scopes: Scope[] = [{ start: 0, bodyStart: 0, end: text.length }]
  for (const anchor of anchors) {
    const inside = scopes.flatMap(({ bodyStart, end }) => anchored(text, anchor, { from: bodyStart, to: end }, lines))
    const from = scopes[0]?.bodyStart ?? 0
    const within = inside.length > 0 ? inside : anchored(text, anchor, { from, to: text.length }, lines)
    if (within.length === 0) return { scopes: [], missing: anchor }
    scopes = within.slice(0, MOST_SCOPES)
  }
  return { scopes }
}

function anchored(text: string, anchor: string, span: Span, lines: LineFinder): Scope[] {
  const known = lines.startsOf(anchor, span.from, span.to, MOST_SCOPES) ?? []
  let starts: readonly number[] = known.length > 0 ? known : linesBeginning(text, anchor, span)
  if (starts.length === 0) starts = linesBeginning(lines.plain(), foldUnits(anchor), span)
  return starts.flatMap((start) => [...linesFrom(text, start, start + 1)]).map((line) => scopeOf(text, line, lines))
}

/** Offsets of the lines equal to the anchor, else of those that begin with it; ignoring space around it. */
function linesBeginning(text: string, anchor: string, { from, to }: Span): number[] {
  const [same, like]: [number[], number[]] = [[], []]
  const find = textFinder(text, anchor)
  for (let at = find(from); at !== -1 && at < to && same.length < MOST_SCOPES;) {
    const start = Math.max(from, text.lastIndexOf('\n', at - 1) + 1)
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline
    if (text.slice(start, at).trim() === '') {
      if (text.slice(at + anchor.length, end).trim() === '') same.push(start)
      else if (like.length < MOST_SCOPES) like.push(start)
    }
    at = newline === -1 ? -1 : find(newline + 1)
  }
  return same.length > 0 ? same : like
}

/** Cached, since hunks often name the same line again. */
const scopes = new WeakMap<LineFinder, Map<number, Scope>>()

function scopeOf(text: string, line: TextLine, lines: LineFinder): Scope {
  const known = scopes.get(lines) ?? new Map<number, Scope>()
  scopes.set(lines, known)
  const scope = known.get(line.start) ?? { start: line.start, bodyStart: line.end, end: scopeEnd(text, line) }
  known.set(line.start, scope)
  return scope
}

function scopeEnd(text: string, head: TextLine): number {
  const depth = indentLength(head.body)
  for (const { start, body } of linesFrom(text, head.end, text.length)) {
    if (body.trim() !== '' && indentLength(body) <= depth && !CONTINUES.test(body.trimStart())) return start
  }
  return text.length
}
