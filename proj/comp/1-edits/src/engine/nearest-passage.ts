import { countBreaks } from '../../../0-text/src/index.js'
import { foldLookAlikes, hasLookAlikes } from './look-alikes.js'
import { differOnlyIn, differingLine, lineEndingNote } from './passage-difference.js'
import { mostSimilarWindow } from './similar-window.js'
import { atOnce, type Steps } from './steps.js'
import { indexOfText } from './text-search.js'

/** Most numbered lines that are compared with the file. */
const MOST_NUMBERED = 20

const withoutSpace = (text: string) => text.replace(/[^\S\n]+/g, '')
const withoutCr = (text: string) => text.replaceAll('\r\n', '\n')

/** Ways in which a passage may differ from the wanted text, the mildest first; all keep line breaks. */
const FOLDS: readonly { differsIn: string; fold: (text: string) => string }[] = [
  { differsIn: 'line endings', fold: withoutCr },
  { differsIn: 'whitespace', fold: withoutSpace },
  { differsIn: 'look-alike characters', fold: (text) => foldLookAlikes(withoutCr(text)) },
  { differsIn: 'whitespace and look-alike characters', fold: (text) => withoutSpace(foldLookAlikes(text)) },
  { differsIn: 'letter case', fold: (text) => withoutCr(text).toLowerCase() },
]

/**
 * A hint for text that is not in `content`: the line range of the most similar passage, and the first difference. Pure;
 * the work is bounded for any file.
 *
 * @returns `undefined` when nothing is similar
 */
export function nearestPassage(content: string, wanted: string): string | undefined {
  return atOnce(nearestPassageSteps(content, wanted))
}

/** As `nearestPassage`, in steps of a few passes over the file each. */
export function* nearestPassageSteps(content: string, wanted: string): Steps<string | undefined> {
  const text = content.startsWith('\ufeff') ? content.slice(1) : content
  return (yield* numberedLines(text, coreOf(wanted))) ?? (yield* nearest(text, wanted))
}

function* nearest(content: string, wanted: string): Steps<string | undefined> {
  const core = coreOf(wanted)
  if (!/\S/.test(core)) return undefined
  return escapedText(content, core)
    ?? (yield* samePassage(content, wanted, core))
    ?? (yield* likePassage(content, core))
}

/** The wanted text without leading and trailing blank lines and its last line break. */
function coreOf(wanted: string): string {
  const start = wanted.replace(/^(?:[^\S\n]*\n)+/, '')
  const blankFrom = start.indexOf('\n', start.trimEnd().length)
  return blankFrom === -1 ? start : start.slice(0, blankFrom).replace(/\r$/, '')
}

/** For text copied with line numbers: `12: text`, as file_read_numbered prints lines. */
function* numberedLines(content: string, core: string): Steps<string | undefined> {
  const lines = core.split('\n')
  if (!lines.every((line) => /^\s*\d+: ?/.test(line))) return undefined
  if (lines.slice(0, MOST_NUMBERED).some((line) => indexOfText(content, line) !== -1)) return undefined
  const plain = lines.map((line) => line.replace(/^\s*\d+: ?/, '')).join('\n')
  if (plain === '') return undefined
  const at = indexOfText(content, plain)
  const passage = at === -1 ? yield* nearest(content, plain) : `Without them it is ${placeAt(content, at, plain)}.`
  return passage && `old_text carries the line numbers of file_read_numbered; leave them out. ${passage}`
}

/** For text with line breaks written as backslash and n. */
function escapedText(content: string, core: string): string | undefined {
  if (!/\\[nt"'\\]/.test(core)) return undefined
  const plain = core.replace(/\\([nt"'\\])/g, (_, char: string) => ({ n: '\n', t: '\t' })[char] ?? char)
  const at = indexOfText(content, plain)
  if (at === -1) return undefined
  return `old_text has escapes such as ${/\\./.exec(core)![0]} where the file has the characters themselves `
    + `(${placeAt(content, at, plain)}). Write old_text without escapes, e.g. as a heredoc.`
}

/** For a passage that differs in a single respect. */
function* samePassage(content: string, wanted: string, core: string): Steps<string | undefined> {
  const exactAt = core === wanted ? -1 : indexOfText(content, core)
  if (exactAt !== -1) {
    return `Without the blank lines or line breaks at its ends old_text is ${placeAt(content, exactAt, core)}.`
  }
  const mayLookAlike = hasLookAlikes(content) || hasLookAlikes(core)
  for (const { differsIn, fold } of FOLDS) {
    if (differsIn.includes('look-alike') && !mayLookAlike) continue
    yield
    const foldedCore = fold(core)
    const folded = fold(content)
    yield
    const at = foldedCore === '' ? -1 : indexOfText(folded, foldedCore)
    if (at === -1) continue
    const before = folded.slice(0, at)
    const start = countBreaks(folded, 0, at)
    const column = at - (before.lastIndexOf('\n') + 1)
    const passage = { lines: content.split('\n'), wanted: core.split('\n'), start, fold, column }
    return differOnlyIn(differsIn, passage) + (differsIn === 'line endings' ? '' : lineEndingNote(content, core, start))
  }
  return undefined
}

function* likePassage(content: string, core: string): Steps<string | undefined> {
  yield
  const lines = withoutCr(content).split('\n')
  const wanted = withoutCr(core).split('\n')
  yield
  const start = yield* mostSimilarWindow(lines, wanted)
  return start === undefined
    ? undefined
    : differingLine(lines, wanted, start) + lineEndingNote(content, core, start)
}

function placeAt(content: string, at: number, passage: string): string {
  const first = countBreaks(content, 0, at) + 1
  const last = first + countBreaks(passage, 0, passage.length)
  return first === last ? `on line ${first}` : `on lines ${first}-${last}`
}
