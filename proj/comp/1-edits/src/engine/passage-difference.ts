import { lowerBound } from '../../../0-text/src/index.js'
import { nameCharacter } from './look-alikes.js'
import { indexOfText } from './text-search.js'

const SHOWN = 100
const BLOCK = 4096

interface SamePassage {
  lines: readonly string[]
  wanted: readonly string[]
  /** 0-based line where the passage begins. */
  start: number
  fold: (text: string) => string
  /** Offset in the folded first line where the passage begins. */
  column: number
}

/** Hint for a passage that equals the wanted text in all but one respect. */
export function differOnlyIn(differsIn: string, passage: SamePassage): string {
  const { wanted, start } = passage
  const where = `${range(start, wanted.length)} ${wanted.length === 1 ? 'differs' : 'differ'} only in ${differsIn}`
  const [inFile, inWanted, line] = firstDifference(differsIn === 'line endings' ? passage : withoutCrs(passage))
  if (differsIn === 'line endings') {
    const [file, text] = inFile.endsWith('\r') ? ['CRLF', 'LF'] : ['LF', 'CRLF']
    return `${where}: the file has ${file}, old_text has ${text}. ${byNumber(start, wanted.length)}`
  }
  if (differsIn === 'look-alike characters') {
    const at = differsAt(inFile, inWanted)
    return `${where}: line ${line} has ${nameCharacter(inFile, at)} where old_text has `
      + `${nameCharacter(inWanted, at)}. Copy them from the file.`
  }
  const place = wanted.length === 1 ? 'It' : `Line ${line}`
  return `${where}. ${pair(place, inFile, inWanted)} Copy the text exactly as it is in the file.`
}

/** Hint for a window of lines that is only similar. */
export function differingLine(lines: readonly string[], wanted: readonly string[], start: number): string {
  const different = wanted.flatMap((line, index) => (isPart(lines, wanted, start, index) ? [] : [{ line, index }]))
  const [first] = different
  if (!first) return `Most alike: ${range(start, wanted.length).toLowerCase()}.`
  const place = wanted.length === 1 ? 'It' : `Line ${start + first.index + 1}`
  const shown = pair(place, lines[start + first.index] ?? '', first.line)
  const also = different.length > 1 ? ` ${different.length} of ${wanted.length} lines differ.` : ''
  return `Most alike: ${range(start, wanted.length).toLowerCase()}.${also} ${shown}`
}

/** A further sentence where a passage of several lines was only missed because of its line endings. */
export function lineEndingNote(content: string, wanted: string, start: number): string {
  const count = wanted.split('\n').length
  if (count === 1 || !content.includes('\r\n') || wanted.includes('\r\n')) return ''
  return ` The file has CRLF line endings, old_text has LF. ${byNumber(start, count)}`
}

function byNumber(start: number, count: number): string {
  const lines = count === 1 ? `${start + 1}` : `${start + 1}-${start + count}`
  return `Use file_replace_lines with lines = "${lines}", or an old_text within one line.`
}

function firstDifference(passage: SamePassage): [inFile: string, inWanted: string, line: number] {
  const { lines, wanted, start } = passage
  if (wanted.length === 1) return [cutOut(passage), wanted[0]!, start + 1]
  const index = Math.max(0, wanted.findIndex((_, i) => !isPart(lines, wanted, start, i)))
  return [lines[start + index]!, wanted[index]!, start + index + 1]
}

function withoutCrs(passage: SamePassage): SamePassage {
  return {
    ...passage,
    lines: passage.lines.map((line) => line.replace(/\r$/, '')),
    wanted: passage.wanted.map((line) => line.replace(/\r$/, '')),
  }
}

/** Whether a line matches; the first wanted line may be the end of a line, the last one the beginning of one. */
function isPart(lines: readonly string[], wanted: readonly string[], start: number, index: number): boolean {
  const line = lines[start + index] ?? ''
  const part = wanted[index]!
  if (wanted.length === 1) return indexOfText(line, part) !== -1
  if (index === 0) return line.endsWith(part)
  return index === wanted.length - 1 ? line.startsWith(part) : line === part
}

/** The part of a (possibly very long) line that folds to the wanted text. */
function cutOut({ lines, wanted, start, fold, column }: SamePassage): string {
  const line = lines[start]!
  const end = column + fold(wanted[0]!).length
  // The first prefix with a longer fold ends with the wanted character.
  return line.slice(prefixLength(line, fold, column + 1) - 1, prefixLength(line, fold, end))
}

/** Length of the shortest prefix of `line` that folds to at least `length` characters. */
function prefixLength(line: string, fold: (text: string) => string, length: number): number {
  let start = 0
  let folded = 0
  // In blocks, since lines may be very long.
  for (; start + BLOCK < line.length; start += BLOCK) {
    const more = fold(line.slice(start, start + BLOCK)).length
    if (folded + more >= length) break
    folded += more
  }
  return lowerBound(start, Math.min(line.length, start + BLOCK), (end) => (
    folded + fold(line.slice(start, end)).length < length
  ))
}

function pair(place: string, inFile: string, inWanted: string): string {
  const at = differsAt(inFile, inWanted)
  return `${place} has ${show(inFile, at)}, old_text has ${show(inWanted, at)}.`
}

function differsAt(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

/** The line as a JSON string, so that tabs and odd spaces are visible; long lines are cut around `at`. */
function show(line: string, at: number): string {
  const start = line.length <= SHOWN ? 0 : Math.max(0, Math.min(at - SHOWN / 2, line.length - SHOWN))
  const cut = JSON.stringify(line.slice(start, start + SHOWN)).replace(INVISIBLE, escaped)
  return `${start > 0 ? '…' : ''}${cut}${start + SHOWN < line.length ? '…' : ''}`
}

function range(start: number, count: number): string {
  return count === 1 ? `Line ${start + 1}` : `Lines ${start + 1}-${start + count}`
}

const INVISIBLE = /[\u00a0\u00ad\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/g

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
