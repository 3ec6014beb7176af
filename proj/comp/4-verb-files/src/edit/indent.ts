import { indentLength } from '../../../1-edits/src/index.js'

/** A line that closes what the first line opened. */
const CLOSER = /^(?:[})\]]|end\b)/
/** A decorator or an attribute. */
const MARK = /^(?:@|#?\[)/

/** Indentation of a declaration: that of its first line, and of the first deeper line, if any. */
export interface Indentation {
  first: string
  inner: string | undefined
}

export function indentationOf(lines: readonly string[]): Indentation {
  const [first = ''] = lines.map(spaceOf)
  const filled = lines.filter((line) => line.trim() !== '')
  return { first, inner: filled.map(spaceOf).find((space) => isDeeper(space, first)) }
}

/**
 * Shifts lines as a whole, so that the first is indented as the declaration is. If only the first line has lost its
 * indentation, as happens with models and their tools, the others stay.
 *
 * @param lines not empty, the first one not blank
 */
export function indentedAs(lines: readonly string[], indentation: Indentation): string[] {
  const [line = '', ...others] = lines
  const own = spaceOf(line)
  if (own === indentation.first) return [...lines]
  if (own === '' && areInPlace(line, others, indentation)) return [indentation.first + line, ...others]
  return lines.map((each) => shifted(each, own, indentation.first))
}

function areInPlace(line: string, others: readonly string[], { first, inner }: Indentation): boolean {
  const filled = others.filter((other) => other.trim() !== '')
  const headed = MARK.test(line) ? filled.findIndex((other) => !MARK.test(other.trimStart())) + 1 : 0
  const [header, body] = [filled.slice(0, headed), filled.slice(headed)]
  return inner !== undefined && body[0] !== undefined && spaceOf(body[0]) === inner
    && header.every((other) => spaceOf(other) === first)
    && body.every((other) => isDeeper(spaceOf(other), first)
      || (spaceOf(other) === first && CLOSER.test(other.trimStart())))
}

function isDeeper(space: string, than: string): boolean {
  return space.length > than.length && space.startsWith(than)
}

function spaceOf(line: string): string {
  return line.slice(0, indentLength(line))
}

/**
 * Shifts lines to be inserted beside quoted ones, which the file indents by `added` more than they were quoted. Lines
 * that already have the file's indentation stay.
 *
 * @param anchor the quoted lines, as the file has them
 * @param next the line of the file after the place, if this is after the quoted lines
 */
export function shiftedBeside(
  lines: readonly string[], anchor: readonly string[], added: string, next: string | undefined,
): string[] {
  const filled = anchor.filter((line) => line.trim() !== '')
  const spaces = [filled[0] ?? '', ...(next === undefined ? [] : [filled.at(-1) ?? ''])].map(spaceOf)
  const opened = next !== undefined && isDeeper(spaceOf(next), spaces.at(-1) ?? '') ? spaceOf(next) : undefined
  const places = opened === undefined ? spaces : [opened]
  const [line = '', ...others] = lines.filter((each) => each.trim() !== '')
  const arePlaced = places.includes(spaceOf(line)) && [line, ...others].every((each) => each.startsWith(added))
  if (arePlaced) return [...lines]
  const isFirstOnly = spaceOf(line) === '' && areInPlace(line, others, indentationOf(filled))
  return lines.map((each) => (each.trim() === '' || (isFirstOnly && each !== line) ? each : added + each))
}

/** Shifts a line. One with less indentation than `own` loses what it has; one indented by other characters stays. */
function shifted(line: string, own: string, indentation: string): string {
  if (line.trim() === '') return line
  if (line.startsWith(own)) return indentation + line.slice(own.length)
  const space = spaceOf(line)
  if (!own.startsWith(space)) return line
  return indentation.slice(0, Math.max(0, indentation.length - (own.length - space.length))) + line.slice(space.length)
}
