import type { Fix } from '../../../0-contracts/src/index.js'
import {
  delimiter, endLine, endMarkerFix, headerFix, isNearEnd, missingEndFix, readHeredocOpener, readQuotedAssignment,
  SOURCE_LIMIT, terminatorFix, type BodyLine, type MarkedBlock, type ScanError, type ShamItem,
} from '../scanner/index.js'

/** The whole text of a block, if kept; needed to prove fixes. */
export function textOf(item: ShamItem): string | undefined {
  return item.text ?? (item.source.length < SOURCE_LIMIT ? item.source : undefined)
}

/** A fix for a block's only structural error, not yet proven to make the block well-formed. */
export function shamFix(item: ShamItem, error: ScanError): Fix | undefined {
  const text = textOf(item)
  if (item.id === undefined || text === undefined) return undefined
  const lines = text.split(/\r?\n/)
  const before = LEAD.exec(lines[0]!)![0]
  const block = { dialect: item.dialect, id: item.id, indent: before.replace(/\S/g, ' ') }
  switch (error.code) {
    case 'MALFORMED_HEADER': return headerFix(block, item.startLine, before)
    case 'MISMATCHED_END': return endMarkerFix(block, error.line)
    case 'UNCLOSED_BLOCK': return unclosedFix(item, block, lines)
    case 'UNCLOSED_HEREDOC': {
      if (lines.at(-1)?.trim() !== endLine(block.dialect, block.id)) return undefined
      return terminatorFix(block, error.line, lines.slice(error.line + 1 - item.startLine, -1))
    }
    default: return openerFix(block, error.line, lines.slice(error.line - item.startLine))
  }
}

/** Indentation of a header line, with the list markers on it. */
const LEAD = /^\s*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*/

/** Adds the missing end marker behind the last assignment. */
function unclosedFix(item: ShamItem, block: MarkedBlock, lines: readonly string[]): Fix | undefined {
  const last = lastAssignment(item.body)
  const after = item.body[last + 1]
  if (last < 0 || (after === undefined ? item.atEnd : item.isInContainer)) return undefined
  // Behind the end marker such lines would open something: a heredoc, a comment, a section.
  if (item.body.slice(last + 1).some(({ text }) => /^\s*<|<</.test(text))) return undefined
  if (after && isNearEnd(after.text, block)) return endMarkerFix(block, after.line)
  let line = after?.line ?? item.endLine + 1
  while (line > item.startLine && (lines[line - 1 - item.startLine] ?? '').trim() === '') line--
  return missingEndFix(block, line)
}

const OPENER = /^\s*([\p{L}_][\p{L}\p{N}_]*)[ \t]*(?::[ \t]*=|=|:)[ \t]*<</u

/** Corrects the opener of a heredoc (word, operator or quotes), and its terminator if that has the same wrong word. */
function openerFix(block: MarkedBlock, line: number, lines: readonly string[]): Fix | undefined {
  const key = OPENER.exec(lines[0]!)?.[1]
  if (key === undefined) return undefined
  const own = delimiter(block.dialect, block.id)
  const opener = `${block.indent}${key} = <<'${own}'`
  const { word } = readHeredocOpener(lines[0]!)
  const wrong = word === undefined || word === own ? -1 : lines.findIndex((each) => each.trim() === word)
  if (wrong < 0) return { startLine: line, endLine: line, text: opener }
  const value = lines.slice(1, wrong)
  if (value.some((each) => each.trim() === own)) return undefined
  return { startLine: line, endLine: line + wrong, text: [opener, ...value, block.indent + own].join('\n') }
}

/** Index of the last assignment or heredoc of a body; -1 where there is none. */
export function lastAssignment(body: readonly BodyLine[]): number {
  return body.findLastIndex(({ text, heredoc }) => heredoc !== undefined || readQuotedAssignment(text) !== undefined)
}
