/** What an answer's reading must keep whatever the scanner's states are, by plain expressions line by line. */
import type { ParseOutcome } from '../../comp/0-contracts/src/index.js'

/** Something that is an action or nearly is one, where a line begins. */
interface Sighting {
  name: string
  pattern: RegExp
  /** Only where edit formats are read. */
  edit?: true
  /** Only where no line before it holds others: a fence, a section, a comment, a heredoc. */
  alone?: true
}

const HOLDS = /^[\s>]*(?:[-*+] |\d+[.)] )?(?:`{3,}|~{3,}|<|\[THINK|◁)|<</

/** Spaces of all kinds, visible or not, and the marks of blockquotes and lists. */
const LEAD = '(?:[\\s\\u200b-\\u200d\\u2060\\u00ad>]|[-*+] |\\d+[.)] )*'

/** Contract section 1, 'Nothing is lost in silence'. Openers of foreign formats are further rows. */
const SIGHTINGS: readonly Sighting[] = [
  { name: 'header', pattern: new RegExp(`^${LEAD}#!(?:SHAM|NESL|nesl) \\[`) },
  { name: 'near header', pattern: new RegExp(`^${LEAD}#[ \\t]*![ \\t]*(?:sham|nesl)(?![A-Za-z])`, 'i') },
  { name: 'header without !', pattern: new RegExp(`^${LEAD}#(?:sham|nesl) ?\\[`, 'i') },
  { name: 'fullwidth header', pattern: new RegExp(`^${LEAD}(?:＃[！!]|#！)(?:sham|nesl)`, 'i') },
  { name: 'misspelt header', pattern: /^ {0,3}#![ \t]*[A-Za-z]+[ \t]*\[@[\w-]+: /, alone: true },
  { name: 'header in backticks', pattern: new RegExp(`^${LEAD}\`#!(?:SHAM|NESL|nesl) \\[[^\`]*\`\\s*$`) },
  // No opener: asked for only where nothing before it could hold it as content.
  { name: 'end marker', pattern: /^ {0,3}#!(?:END_SHAM|END_NESL|end)(?:_[A-Za-z0-9]*)?\s*$/, alone: true },
  { name: 'tool call', pattern: /^\s*<tool_call>/ },
  // Behind a bullet it stands in mid-line.
  { name: 'tool call', pattern: new RegExp(`^${LEAD}<tool_call>\\s*(?:[{<]|$)`) },
  { name: 'escaped call', pattern: new RegExp(`^${LEAD}&lt;tool_call&gt;`) },
  { name: 'function call', pattern: new RegExp(`^${LEAD}<function_call>`) },
  { name: 'hermes fence', pattern: new RegExp(`^${LEAD}(?:\`{3,}|~{3,})(?:[^\`]*[\\s:,{-])?hermes(?:[\\s:,}-]|$)`) },
  { name: 'search marker', pattern: /^<{5,} SEARCH\s*$/, edit: true },
  { name: 'patch', pattern: /^\*\*\* Begin Patch\s*$/, edit: true },
]

/** Looks like an end of a block of any format: by this the end of a failed one counts as found. */
const ENDER = /#!(?:END_|end_)|<\/tool_call>|^[\s>]*(?:`{3,}|~{3,})|>{5,} REPLACE|\*\*\* End Patch/

export interface Fault {
  rule: 'accounted' | 'quoted' | 'untouched' | 'figures' | 'chunks' | 'throws'
  what: string
  /** Of the text, where the fault is at one. */
  line?: number
}

/** Rules that need nothing but the text. */
export function checkText(text: string, outcome: ParseOutcome, editFormats: boolean): Fault[] {
  const lines = text.split('\n')
  return [...unaccounted(lines, outcome, editFormats), ...wrongFigures(lines.length, outcome)]
}

function unaccounted(lines: readonly string[], outcome: ParseOutcome, editFormats: boolean): Fault[] {
  const accounted = new Set<number>()
  const cover = (from: number, to: number): void => {
    for (let line = from; line <= to; line++) accounted.add(line)
  }
  const ended = ({ startLine, endLine }: { startLine: number, endLine: number }): boolean => (
    endLine > startLine && ENDER.test(lines[endLine - 1] ?? '')
  )
  for (const { startLine, endLine } of outcome.blocks) cover(startLine, endLine)
  // A fence that is shown counts once with the block in it, if that ends there.
  for (const { startLine, endLine } of outcome.skipped) {
    const last = lines.findLastIndex((line, index) => index >= startLine && index < endLine && ENDER.test(line))
    cover(startLine, Math.max(startLine, last + 1))
  }
  for (const entry of outcome.errors) {
    accounted.add(entry.error.line)
    // The last document of an envelope ends with its fence.
    const isLast = entry.error.code === 'INVALID_ENVELOPE' && /^\s*(?:`{3,}|~{3,})\s*$/.test(lines[entry.endLine] ?? '')
    cover(entry.startLine, ended(entry) || isLast ? entry.endLine : entry.startLine)
  }
  const held = lines.findIndex((line) => HOLDS.test(line))
  const sighted = lines.map((line, index) => SIGHTINGS.find(({ pattern, edit, alone }) => (
    (!edit || editFormats) && (!alone || held < 0 || index < held) && pattern.test(line))))
  return sighted.flatMap((seen, index) => {
    if (!seen || accounted.has(index + 1)) return []
    // The documents of an envelope are blocks of their own, and begin below the fence.
    if (seen.name === 'hermes fence' && hasEntryBelow(lines, index, accounted, sighted)) return []
    return [{ rule: 'accounted' as const, what: `${seen.name} in no list`, line: index + 1 }]
  })
}

function hasEntryBelow(
  lines: readonly string[], opener: number, accounted: ReadonlySet<number>, sighted: readonly unknown[],
): boolean {
  for (let index = opener + 1; index < lines.length && sighted[index] === undefined; index++) {
    if (accounted.has(index + 1)) return true
    if (ENDER.test(lines[index]!)) return false
  }
  return false
}

/** Contract: a block is reported by at most three errors. */
const MOST_ERRORS = 3

function wrongFigures(count: number, { errors, blocks, skipped }: ParseOutcome): Fault[] {
  const faults: Fault[] = []
  const fail = (what: string): void => {
    if (!faults.some((fault) => fault.what === what)) faults.push({ rule: 'figures', what })
  }
  const each = new Map<number, number>()
  for (const { startLine, endLine, error } of errors) {
    each.set(startLine, (each.get(startLine) ?? 0) + 1)
    if (startLine < 1 || error.line < startLine) fail('an error before its block')
    if (endLine < startLine) fail('an error that ends before it starts')
    if (endLine > count || error.line > count) fail('an error behind the text')
  }
  for (const { startLine, endLine } of [...blocks, ...skipped]) {
    if (startLine < 1 || endLine < startLine || endLine > count) fail('a block out of the text')
  }
  if ([...each.values()]
    .some((errorsOfBlock) => errorsOfBlock > MOST_ERRORS)) fail('more than three errors for a block')
  return faults
}

/** @param marks paths of examples that only stand in quotes */
export function runQuotes(outcome: ParseOutcome, marks: ReadonlySet<string>): string[] {
  return outcome.blocks.map(({ params }) => String(params['path'])).filter((path) => marks.has(path))
}
