import { endingsFor, type LineParts, type LineRange, linesOf, spliceLines } from '../../../1-edits/src/index.js'
import type { Outline } from '../../../2-syntax/src/index.js'
import { type FoundDeclaration, outlineOf } from './find-declaration.js'
import { indentationOf, indentedAs } from './indent.js'

/** What is put into a file. */
export interface NewLines {
  /** As written, not empty, the first one not blank. */
  written: readonly string[]
  /** Behind the last line: what stood behind the old one. */
  tail: string
  /** Blank lines before and after. */
  lead: number
  trail: number
}

/** A file as it would be after an edit. */
export interface Draft {
  content: string
  /** Where the new lines are in it, without the blank ones around them. */
  first: number
  last: number
  lines: readonly string[]
  outline: Outline
}

/**
 * Puts lines in the place of others (or, where `last` is one less than `first`, between them), indented as the
 * declaration is, but for those within a string, where space counts: these stay as written.
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
 * The lines of strings as written. A string that shifted is one of the declaration as it was, but not as written, was
 * written with less indentation like all else: it is shifted, too.
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

/** Lines replaced by others, which end as those around them; a last line without a line break leaves one so. */
export function withLines(content: string, range: LineRange, lines: readonly string[]): string {
  const old = linesOf(content)
  const [start, end] = [range.first - 1, range.last].map((count) => lengthOf(old.slice(0, count))) as [number, number]
  // A byte order mark is no part of the first line: nothing is put in before it.
  const bom = content.startsWith('\ufeff') ? 1 : 0
  const endings = endingsFor(content, { start: Math.max(start, bom), end: Math.max(end, bom) }, lines)
  const text = lines.map((line, index) => line + endings[index]).join('')
  const changed = spliceLines(content, range, text)
  const isEnd = range.last >= old.length && old.at(-1)?.ending === ''
  return isEnd ? changed.replace(/\r?\n$/, '') : changed
}

function lengthOf(lines: readonly LineParts[]): number {
  return lines.reduce((sum, { body, ending }) => sum + body.length + ending.length, 0)
}

function blank(count: number): string[] {
  return Array.from({ length: count }, () => '')
}
