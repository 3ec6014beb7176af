import { endingsFor, type LineRange, linesOf, spliceLines } from '../../../1-edits/src/index.js'
import type { Outline } from '../../../2-syntax/src/index.js'
import { type FoundDeclaration, outlineOf } from './find-declaration.js'
import { indentationOf, indentedAs } from './indent.js'

/** Lines to insert into a file. */
export interface NewLines {
  /** As written; at least one, and the first is not blank. */
  written: readonly string[]
  /** Text to put after the last line: what followed the old one on its line. */
  tail: string
  /** Number of blank lines before and after. */
  lead: number
  trail: number
}

/** A file's content as it would be after an edit. */
export interface Draft {
  content: string
  /** First and last of the new lines in it, without the blank lines around them. */
  first: number
  last: number
  lines: readonly string[]
  outline: Outline
}

/**
 * Replaces lines (or inserts between two, where `last` is one less than `first`), indented as the declaration is,
 * except inside of strings, where white space counts: these lines stay as written.
 *
 * @throws HermesError as `outline`
 */
export async function draftOf(
  verb: string, { content, language, lines: old, whole }: FoundDeclaration, range: LineRange, added: NewLines,
): Promise<Draft> {
  const declared = old.slice(whole.firstLine - 1, whole.lastLine)
  const shifted = indentedAs(added.written, indentationOf(declared))
  const draft = await parsed(shifted)
  const isString = (index: number): boolean => draft.outline.stringLines.has(draft.first + index)
  const lines = withStrings(shifted, added.written, { isString, declared })
  return lines.every((line, index) => line === shifted[index]) ? draft : parsed(lines)

  async function parsed(body: readonly string[]): Promise<Draft> {
    const all = [...blank(added.lead), ...body.slice(0, -1), (body.at(-1) ?? '') + added.tail, ...blank(added.trail)]
    const changed = withLines(content, range, all)
    const first = range.first + added.lead
    const last = first + body.length - 1
    const outline = await outlineOf(verb, language, changed, {
      lines: [first, last],
      wholes: (definitions) => definitions.filter(({ startLine, endLine }) => startLine >= first && endLine === last),
    })
    return { content: changed, first, last, lines: body, outline }
  }
}

/**
 * Restores the lines of strings as written. But a string that matches the old declaration only when shifted was written
 * with less indentation like everything else, so it stays shifted.
 */
function withStrings(
  shifted: readonly string[], written: readonly string[],
  { isString, declared }: { isString: (index: number) => boolean; declared: readonly string[] },
): string[] {
  const old = new Set(declared)
  const lines = [...shifted]
  for (let from = 0; from < lines.length; from++) {
    if (!isString(from)) continue
    let to = from
    while (to < lines.length && isString(to)) to++
    const [before, after] = [written.slice(from, to), shifted.slice(from, to)]
    const isOld = after.every((line) => old.has(line)) && !before.every((line) => old.has(line))
    if (!isOld) lines.splice(from, to - from, ...before)
    from = to
  }
  return lines
}

/**
 * Replaces lines, with the line endings of those around them; if the last line had no line break, it has none after.
 */
export function withLines(content: string, range: LineRange, lines: readonly string[]): string {
  const old = linesOf(content)
  const lengthOf = (count: number): number => old.slice(0, count)
    .reduce((sum, { body, ending }) => sum + body.length + ending.length, 0)
  const [start, end] = [lengthOf(range.first - 1), lengthOf(range.last)]
  // A byte order mark is not part of the first line: insert nothing before it.
  const bom = content.startsWith('\ufeff') ? 1 : 0
  const endings = endingsFor(content, { start: Math.max(start, bom), end: Math.max(end, bom) }, lines)
  const text = lines.map((line, index) => line + endings[index]).join('')
  const changed = spliceLines(content, range, text)
  const isEnd = range.last >= old.length && old.at(-1)?.ending === ''
  return isEnd ? changed.replace(/\r?\n$/, '') : changed
}

function blank(count: number): string[] {
  return Array.from({ length: count }, () => '')
}
