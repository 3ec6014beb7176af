import { indentLength, type LineParts, trimLineEnd } from './line-parts.js'
import { foldUnits } from './look-alikes.js'
import { NO_SHIFT, type Shift } from './match-tier.js'

/** A searched line in the forms that the match tiers compare. */
export interface SearchedLine extends LineParts {
  /** Without trailing space. */
  trimmedEnd: string
  /** Without indentation and trailing space. */
  trimmed: string
  indent: string
  /** `trimmed`, with look-alike characters replaced by plain ones. */
  folded: string
  foldedIndent: string
}

export function searchedLine({ body, ending }: LineParts): SearchedLine {
  const trimmedEnd = trimLineEnd(body)
  const indent = trimmedEnd.slice(0, indentLength(trimmedEnd))
  const trimmed = trimmedEnd.slice(indent.length)
  const plain = trimLineEnd(foldUnits(body))
  const foldedIndent = plain.slice(0, indentLength(plain))
  return { body, ending, trimmedEnd, indent, trimmed, folded: plain.slice(foldedIndent.length), foldedIndent }
}

/** How a line of a file differs from the searched line. */
export interface LineMatch {
  /** Index in `MATCH_TIERS`. */
  level: number
  /** Difference in indentation. Absent where either line is blank, since any indentation of those is accepted. */
  shift?: Shift
}

/**
 * @param body the file's line, without its ending
 * @returns `undefined` where no tier accepts the difference
 */
export function compareLine(body: string, wanted: SearchedLine): LineMatch | undefined {
  if (body === wanted.body) return wanted.trimmed === '' ? { level: 0 } : { level: 0, shift: NO_SHIFT }
  const trimmedEnd = trimLineEnd(body)
  const isBlank = indentLength(trimmedEnd) === trimmedEnd.length
  if (isBlank || wanted.trimmed === '') return isBlank && wanted.trimmed === '' ? { level: 1 } : undefined
  if (trimmedEnd === wanted.trimmedEnd) return { level: 1, shift: NO_SHIFT }
  return shifted(trimmedEnd, 2, wanted.trimmed, wanted.indent)
    ?? shifted(trimLineEnd(foldUnits(body)), 3, wanted.folded, wanted.foldedIndent)
}

function shifted(line: string, level: number, trimmed: string, indent: string): LineMatch | undefined {
  const length = indentLength(line)
  if (line.length - length !== trimmed.length || !line.endsWith(trimmed)) return undefined
  if (length > indent.length) {
    const added = line.slice(0, length - indent.length)
    return line.startsWith(indent, added.length) ? { level, shift: { added, removed: '' } } : undefined
  }
  const removed = indent.slice(0, indent.length - length)
  if (indent.slice(removed.length) !== line.slice(0, length)) return undefined
  return { level, shift: removed === '' ? NO_SHIFT : { added: '', removed } }
}
