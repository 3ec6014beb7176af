import { HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import { lineEnding, type LineRange } from '../../../1-edits/src/index.js'
import { relatedVerbs } from '../../../2-files/src/index.js'

/**
 * Lines as `N: text`, without their endings.
 *
 * @param first number of the first of them
 * @param pads whether all numbers get the width of the largest
 */
export function numberLines(
  lines: readonly string[], first: number,
  { delimiter = ': ', pads = false }: { delimiter?: string; pads?: boolean } = {},
): string {
  const width = pads ? `${first + lines.length - 1}`.length : 0
  return lines.map((line, index) => {
    const number = `${first + index}`.padStart(width)
    return `${number}${delimiter}${line.slice(0, line.length - lineEnding(line).length)}`
  }).join('\n')
}

/** Reads `4` or `23-43`: 1-based, inclusive. @throws HermesError `INVALID_PARAMETER` for other text */
export function parseLines(verb: string, range: string): LineRange {
  const match = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(range)
  if (!match) {
    const shown = range.length > 40 ? `${range.slice(0, 40)}…` : range
    throw new HermesError('INVALID_PARAMETER', `${verb}: lines must be one line or a range, not '${shown}'`, {
      hint: 'Write lines = "4" or lines = "23-43".',
    })
  }
  const first = Number(match[1])
  return { first, last: match[2] === undefined ? first : Number(match[2]) }
}

/**
 * @param write writes a range in the verb's parameters
 * @throws HermesError `RANGE_INVALID` for a range that ends before it starts, so that no file can have it
 */
export function requireOrder(verb: string, { first, last }: LineRange, write: (range: LineRange) => string): void {
  if (first <= last) return
  throw new HermesError('RANGE_INVALID', `${verb}: lines ${first}-${last} end before they start`, {
    hint: `In order it is ${write({ first: last, last: first })}.`,
  })
}

/**
 * @param write writes a range in the verb's parameters
 * @throws HermesError `RANGE_INVALID` for lines the file does not have
 */
export function checkRange(
  verb: string, range: LineRange, lineCount: number, write: (range: LineRange) => string,
  context: Pick<VerbContext, 'vocabulary'>,
): void {
  const { first, last } = range
  requireOrder(verb, range, write)
  if (first >= 1 && last <= lineCount) return
  throw outside(verb, range, lineCount, write, context)
}

/**
 * The lines to read: clamped to the end of the file, none in an empty file; the model is advised when clamped.
 *
 * @throws HermesError `RANGE_INVALID` for a range that begins outside the file, or ends before it begins
 */
export function clampRange(
  verb: string, range: LineRange, lineCount: number, write: (range: LineRange) => string,
  context: Pick<VerbContext, 'vocabulary' | 'advise'>,
): LineRange {
  const { first } = range
  const isOfEmpty = lineCount === 0 && first === 1
  requireOrder(verb, range, write)
  if (first < 1 || (first > lineCount && !isOfEmpty)) throw outside(verb, range, lineCount, write, context)
  const last = Math.min(range.last, lineCount)
  if (last < range.last) {
    context.advise?.(`${countLines(lineCount)}${isOfEmpty ? '' : `; this is ${write({ first, last })}`}.`)
  }
  return { first, last }
}

function outside(
  verb: string, { first, last }: LineRange, lineCount: number, write: (range: LineRange) => string,
  context: Pick<VerbContext, 'vocabulary'>,
): HermesError {
  const problem = first === last ? `line ${first} is outside the file` : `lines ${first}-${last} are outside the file`
  // The range most likely meant, in a file that has lines.
  const instead = first >= 1 && first <= lineCount ? `to its end is ${write({ first, last: lineCount })}`
    : `all of it is ${write({ first: 1, last: lineCount })}`
  return new HermesError('RANGE_INVALID', `${verb}: ${problem}`, {
    hint: lineCount === 0
      ? `${countLines(0)}. ${relatedVerbs(context).write} gives it content.`
      : `${countLines(lineCount)}; ${instead}.`,
  })
}

/** `The file has 3 lines` */
export function countLines(lineCount: number): string {
  return `The file has ${lineCount} ${lineCount === 1 ? 'line' : 'lines'}`
}

/** A range in the parameters of verbs with `lines`. */
export function writeLines({ first, last }: LineRange): string {
  return `lines = "${first === last ? first : `${first}-${last}`}"`
}

/** A range in the parameters of verbs with `startLine` and `endLine`. */
export function writeRange({ first, last }: LineRange): string {
  return `startLine: ${first}, endLine: ${last}`
}
