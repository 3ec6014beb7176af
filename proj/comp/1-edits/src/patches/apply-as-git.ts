import { bordersOf, extend, fitEndings, splitLines, type Steps } from '../engine/index.js'
import { LineImage } from './line-image.js'
import { type Hunk, type HunkLine, linesOf } from './patch.js'

/** Result of applying as git does: the new text, or the index of the first hunk that git would refuse. */
type ByGit = { text: string; starts: number[]; doubts: Doubt[]; refused?: undefined } | { refused: number }

/**
 * A hunk whose place is doubtful: git applies it away from the line its header states although its lines stand there
 * too, or at the end of the file, for lack of trailing context, although they also stand elsewhere.
 */
export interface Doubt {
  index: number
  /** 1-based lines of the text before this hunk: the other place, and the one git takes. */
  lines: [other: number, taken: number]
}

/**
 * Applies hunks byte for byte and in order as `git apply` does: at the line the header states, or else at the nearest
 * equal place. A hunk that begins at line 1 must match the start of the file, one without trailing context its end, and
 * no hunk a line that an earlier one wrote.
 *
 * One departure: a hunk of only new lines, which git appends whatever its header says, must name the end of the file;
 * its lines take the file's line ending there, and do not join a last line without a line break. Nor do lines that
 * follow one without a line break in the patch (like git, this treats such a last line as if it had one; in the middle
 * of a file git would join two lines). Each step is a hunk.
 *
 * @returns `starts`: 1-based line of each hunk in the original text
 */
export function* applyAsGit(text: string, hunks: readonly Hunk[]): Steps<ByGit> {
  const image = new LineImage(wholeLines(text))
  const starts: number[] = []
  const doubts: Doubt[] = []
  let grown = 0
  for (const [index, hunk] of hunks.entries()) {
    yield
    if (hunk.range?.countsRight !== true) return { refused: index }
    const [before, after] = [wholeOf(linesOf(hunk, 'old')), wholeOf(linesOf(hunk, 'new'))]
    const at = placeOf(image, hunk, before)
    if (at === undefined) return { refused: index }
    // For pure deletions git states the line before as the new line; models state the line itself.
    const stated = [hunk.range.newStart - (after.length > 0 ? 1 : 0), hunk.range.oldStart - 1 + grown]
    const other = before.length === 0 || stated.includes(at) ? undefined
      : stated.find((line) => isLike(image, line, before)) ?? otherPlace(image, hunk, before, at)
    if (other !== undefined) doubts.push({ index, lines: [other + 1, at + 1] })
    if (before.length > 1 || before[0]?.endsWith('\n') === true) image.replace(at, before.length, after)
    else append(image, before, after)
    starts.push(at - grown + 1)
    grown += after.length - before.length
  }
  return { text: image.all().join(''), starts, doubts }
}

/**
 * Appends lines, also behind or in place of a last line without a line break: there is no context that tells the
 * ending.
 */
function append(image: LineImage, before: readonly string[], lines: readonly string[]): void {
  const text = image.all().join('')
  const last = image.line(image.length - 1) ?? ''
  const isBare = before.length === 0 && /[^\n\ufeff]$/.test(text)
  const start = text.length - (before.length > 0 ? last.length : 0)
  const fitted = fitEndings(text, { start, end: text.length }, (isBare ? '\n' : '') + lines.join(''))
  const replaced = isBare || before.length > 0 ? 1 : 0
  const [first = '', ...others] = wholeLines(fitted)
  const added = fitted === '' ? [] : [(isBare ? last : '') + first, ...others]
  image.replace(image.length - replaced, replaced, added)
}

/** For a hunk that git puts at the end: the first other place. */
function otherPlace(image: LineImage, hunk: Hunk, before: readonly string[], at: number): number | undefined {
  if (!endsBare(hunk)) return undefined
  return occurrencesOf(image, before).find((line) => line !== at && isLike(image, line, before))
}

/** Whether the lines stand there, ignoring CRLF for LF and a missing line break at the end of the file. */
function isLike(image: LineImage, at: number, wanted: readonly string[]): boolean {
  return wanted.every((line, i) => {
    const there = image.line(at + i)
    if (there === undefined || image.isWritten(at + i)) return false
    return there === line || `${there}\n` === line || there.replace(/\r\n$/, '\n') === line
  })
}

/** Whether the hunk has no trailing context, which git takes for the end of the file. */
function endsBare({ lines }: Hunk): boolean {
  return lines.at(-1)?.sign !== ' '
}

function placeOf(image: LineImage, hunk: Hunk, before: readonly string[]): number | undefined {
  const [oldStart, expected] = [hunk.range?.oldStart ?? 0, Math.max((hunk.range?.newStart ?? 0) - 1, 0)]
  if (before.length === 0 && oldStart !== image.length) return undefined
  const atBeginning = oldStart <= 1
  const atEnd = endsBare(hunk)
  const last = image.length - before.length
  const fits = (at: number) => at >= 0 && at <= last && (!atBeginning || at === 0) && (!atEnd || at === last)
    && before.every((line, i) => !image.isWritten(at + i) && (image.line(at + i) === line
      || (at + i === image.length - 1 && !atEnd && isBareFormOf(line, image.line(at + i)))))
  if (atBeginning || atEnd) return [0, last].find(fits)
  return nearestPlace(image, before, Math.min(expected, image.length), fits)
}

/** Most lines around the stated one to try one by one; the place is nearly always among them. */
const TRIED = 200

/** The nearest place that fits; the later of two that are equally near. */
function nearestPlace(
  image: LineImage, before: readonly string[], start: number, fits: (at: number) => boolean,
): number | undefined {
  for (let away = 0; away < TRIED; away++) {
    if (fits(start + away)) return start + away
    if (away > 0 && fits(start - away)) return start - away
  }
  const places = [...occurrencesOf(image, before), image.length - before.length]
  return places.sort((a, b) => Math.abs(a - start) - Math.abs(b - start) || b - a).find(fits)
}

function isBareFormOf(bare: string, line: string | undefined): boolean {
  return !bare.endsWith('\n') && line?.startsWith(bare) === true && line.slice(bare.length).trim() === ''
}

/** Where `wanted` stands in the lines, overlaps included; linear (Knuth, Morris and Pratt). */
function occurrencesOf(image: LineImage, wanted: readonly string[]): number[] {
  const borders = bordersOf(wanted)
  const places: number[] = []
  for (let i = 0, matched = 0; i < image.length; i++) {
    matched = extend(wanted, borders, matched, image.line(i))
    if (matched === wanted.length) places.push(i - matched + 1)
  }
  return places
}

/** The lines with their line feeds; a byte order mark belongs to the first. */
function wholeLines(text: string): string[] {
  const { bom, lines: [first = '', ...others] } = splitLines(text)
  return text === '' ? [] : [bom + first, ...others]
}

function wholeOf(lines: readonly HunkLine[]): string[] {
  return lines.map(({ text, bare }, index) => bare === true && index === lines.length - 1 ? text : `${text}\n`)
}
