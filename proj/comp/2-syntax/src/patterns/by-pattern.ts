import { clip } from '../../../0-text/src/index.js'
import type { IdentifierPlace, IdentifierUse, Occurrence, VisibleDefinition } from '../definition.js'
import { nestingOf } from '../definitions-in.js'
import type { ParseClock } from '../parse-time.js'
import { fullName } from '../symbol-name.js'
import { DESCRIPTIONS } from './data-patterns.js'
import type { PatternId } from './pattern-extensions.js'
import type { LinePatterns } from './pattern-kit.js'
import { PROGRAMS } from './program-patterns.js'

/** Longest line to examine, in UTF-16 units; longer ones are not written by people. */
const MOST_LINE = 500
/** Most definitions of a text. */
const MOST_DEFINITIONS = 50_000
const LINE_PATTERNS: Readonly<Record<PatternId, LinePatterns>> = { ...PROGRAMS, ...DESCRIPTIONS }

/**
 * Finds definitions as ctags does, by patterns of single lines outside comments. Nesting and ends are inferred from
 * indentation, so some definitions are missed and some ends wrong.
 *
 * @throws HermesError `TIMEOUT`
 */
export function definitionsByPattern(language: PatternId, text: string, clock: ParseClock): VisibleDefinition[] {
  const patterns = LINE_PATTERNS[language]
  const lines = codeLines(text, patterns)
  const definitions: { definition: VisibleDefinition; indent: number }[] = []
  const open: { definition: VisibleDefinition; indent: number }[] = []
  for (const [row, line] of lines.entries()) {
    clock.check()
    if (line.length > MOST_LINE || line.trim() === '' || definitions.length >= MOST_DEFINITIONS) continue
    const indent = indentOf(line)
    const next = definitionIn(line, patterns)
    if (!next) continue
    while (open.length > 0 && open.at(-1)!.indent >= indent) open.pop()
    const within = open.at(-1)?.definition
    const isMember = within?.kind === 'class'
    const names = [within && fullName(within), next.container].filter((name) => name !== undefined)
    const definition: VisibleDefinition = {
      name: next.name,
      kind: next.kind === 'function' && (isMember || next.container !== undefined) ? 'method' : next.kind,
      startLine: row + 1, startColumn: indent + 1,
      endLine: row + 1, endColumn: line.trimEnd().length + 1,
      nameLine: row + 1, nameColumn: next.column,
      ...(names.length > 0 && { container: names.join('.') }),
      parameter: false,
      ...nestingOf(within, false),
    }
    definitions.push({ definition, indent })
    if (definition.kind !== 'variable') open.push({ definition, indent })
  }
  endAll(definitions, lines)
  return definitions.map(({ definition }) => definition)
}

/** All words outside comments and single-line strings, in text order. */
export function occurrencesByPattern(
  language: PatternId, text: string, definitions: readonly VisibleDefinition[],
): Occurrence[] {
  const patterns = LINE_PATTERNS[language]
  const defined = new Set(definitions.map(({ nameLine, nameColumn }) => `${nameLine}:${nameColumn}`))
  return codeLines(text, patterns).flatMap((line, row) => (line.length > MOST_LINE ? [] : wordsOf(line, patterns)
    .map(({ name, column, isCall }) => ({
      name, line: row + 1, column,
      kind: defined.has(`${row + 1}:${column}`) ? 'definition' as const : isCall ? 'call' as const : 'other' as const,
    }))))
}

export function placesByPattern(language: PatternId, text: string, name: string): IdentifierPlace[] {
  return occurrencesByPattern(language, text, []).filter((each) => each.name === name)
    .map(({ line, column }) => ({ line, column }))
}

/** The word at a place of a line, or ending right before it. */
export function wordAt(language: PatternId, text: string, line: number, column: number): IdentifierUse | undefined {
  const word = wordsOnLine(language, text, line)
    .find(({ name, column: begin }) => begin <= column && column <= begin + name.length)
  return word && { name: word.name, line, column: word.column }
}

export function wordsOnLine(language: PatternId, text: string, line: number): { name: string; column: number }[] {
  const patterns = LINE_PATTERNS[language]
  return wordsOf(codeLines(text, patterns)[line - 1] ?? '', patterns).map(({ name, column }) => ({ name, column }))
}

/** Returns signatures: the line of the name, without comment, up to the bracket of the body. */
export function signatureByPattern(language: PatternId, text: string): (definition: VisibleDefinition) => string {
  const lines = codeLines(text, LINE_PATTERNS[language])
  return ({ nameLine, name }) => {
    const line = (lines[nameLine - 1] ?? '').replaceAll(/\s+/g, ' ').replace(/(?:\s|[{:=;,]|=>|->)+$/, '').trim()
    return line === '' ? name : clip(line, 160)
  }
}

function definitionIn(
  line: string, { lines }: LinePatterns,
): { name: string; column: number; container?: string; kind: VisibleDefinition['kind'] } | undefined {
  for (const { kind, pattern } of lines) {
    const match = pattern.exec(line)
    const at = match?.indices?.groups?.['name']
    const name = match?.groups?.['name']
    if (!at || name === undefined || name === '') continue
    const container = match?.groups?.['container']
    return { name, column: at[0] + 1, kind, ...(container !== undefined && { container }) }
  }
  return undefined
}

/**
 * Sets ends: a definition ends before the next line that is indented no deeper and is no closing bracket or keyword.
 */
function endAll(all: readonly { definition: VisibleDefinition; indent: number }[], lines: readonly string[]): void {
  const open: { definition: VisibleDefinition; indent: number }[] = []
  let next = 0
  for (const [row, line] of lines.entries()) {
    if (line.trim() === '') continue
    const indent = indentOf(line)
    const isCloser = /^\s*(?:[)}\]]|end\b|End\b|END\b|done\b|fi\b|esac\b)/.test(line)
    while (open.length > 0 && open.at(-1)!.indent >= indent) {
      const { definition, indent: own } = open.at(-1)!
      if (isCloser && own === indent) extend(definition, row, line)
      open.pop()
    }
    for (const { definition } of open) extend(definition, row, line)
    for (; next < all.length && all[next]!.definition.startLine === row + 1; next++) open.push(all[next]!)
  }
}

function extend(definition: VisibleDefinition, row: number, line: string): void {
  definition.endLine = row + 1
  definition.endColumn = line.trimEnd().length + 1
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

function wordsOf(
  line: string, { inNames = '' }: LinePatterns,
): { name: string; column: number; isCall: boolean }[] {
  const word = new RegExp(`[\\p{L}_][\\p{L}\\p{N}_${inNames.replaceAll(/[\\\]^-]/g, '\\$&')}]*`, 'gu')
  const code = line.replaceAll(/"(?:[^"\\]|\\.)*"/g, (quoted) => ' '.repeat(quoted.length))
  return [...code.matchAll(word)].map(({ 0: name, index }) => ({
    name, column: index + 1, isCall: code[index + name.length] === '(',
  }))
}

/** The lines of a text with comments replaced by spaces. */
function codeLines(text: string, { comment = [], block = [] }: LinePatterns): string[] {
  const code = block.length === 0 ? text : withoutBlocks(text, block, comment)
  return code.split('\n').map((line) => withoutEnd(line.replace(/\r$/, ''), comment))
}

function withoutEnd(line: string, comment: readonly string[]): string {
  let at = -1
  for (const mark of comment) {
    for (let from = line.indexOf(mark); from !== -1; from = line.indexOf(mark, from + 1)) {
      if (at !== -1 && from >= at) break
      // A comment sign inside a string does not count, nor as part of a word such as `$#` or a URL.
      const before = line.slice(0, from)
      const isString = (before.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1
      if (!isString && !/[\w$:\\&]$/.test(before)) at = from
    }
  }
  return at === -1 ? line : line.slice(0, at)
}

function withoutBlocks(
  text: string, block: readonly (readonly [open: string, close: string])[], comment: readonly string[],
): string {
  let code = ''
  let at = 0
  const openers = new RegExp([...block.map(([open]) => open), ...comment]
    .sort((a, b) => b.length - a.length).map((each) => each.replaceAll(/[^\w\s]/g, '\\$&')).join('|'), 'g')
  for (;;) {
    openers.lastIndex = at
    const opener = openers.exec(text)
    if (!opener) return code + text.slice(at)
    const [mark] = opener
    const pair = block.find(([open]) => open === mark)
    const end = pair ? text.indexOf(pair[1], opener.index + mark.length) : text.indexOf('\n', opener.index)
    const until = end === -1 ? text.length : end + (pair?.[1].length ?? 0)
    code += text.slice(at, opener.index)
    // Text behind a line comment sign is left to the line's own check.
    code += pair ? text.slice(opener.index, until).replaceAll(/[^\r\n]/g, ' ') : text.slice(opener.index, until)
    at = until
  }
}
