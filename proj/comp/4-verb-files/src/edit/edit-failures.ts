import { type ApprovedPath, HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import {
  differenceAt, findElision, findStrayFence, type Located, locate, type MatchMode, mayBeApplied, nearestLines,
  nearestPassage, type Place, textFinder,
} from '../../../1-edits/src/index.js'
import { countBreaks } from '../../../0-text/src/index.js'

/** The error for a text that occurs in several places, which it lists. */
export function ambiguous(
  verb: string, content: string, { tier, places }: Extract<Located, { kind: 'ambiguous' }>, parameter = 'old_text',
): HermesError {
  const how = tier === 'exact' ? '' : ` but for ${TIER_WORDS[tier]}`
  const count = places.length < 20 ? places.length : '20 or more'
  return new HermesError('AMBIGUOUS_MATCH', `${verb}: ${parameter} stands in ${count} places${how}`, {
    hint: `They are lines ${places.map((place) => lineRange(content, place)).join(', ')}. `
      + (parameter === 'old_text'
        ? 'Add lines before or after it to old_text and new_text, so that it stands in one place only.'
        : 'Quote more lines around the place, so that they stand in one place only.'),
  })
}

const TIER_WORDS = {
  exact: 'nothing',
  'trailing-space': 'line endings and space at line ends',
  indentation: 'indentation',
  'look-alikes': 'look-alike characters',
} as const

/** The error for a text that is not in the file: shows where something similar is, and how it differs. */
export function notFound(
  verb: string, target: ApprovedPath,
  { content, oldText, newText, match }: { content: string; oldText: string; newText: string; match: MatchMode },
  context: VerbContext,
): HermesError {
  const explained = mayCompare(content, context)
    ? [
      partOfLines(content, oldText) ?? nearestPassage(content, oldText) ?? NOTHING_LIKE_IT,
      ...difference(content, oldText, 'old_text'),
    ]
    : ['Read the file again.']
  const hints = [
    ...(leftOut(oldText) ?? explained),
    ...applied(content, newText, match),
    ...earlierChanges(target, 'old_text', context),
  ]
  return new HermesError('TEXT_NOT_FOUND', `${verb}: old_text not found in file`, { hint: hints.join('\n') })
}

/** The error for anchor lines, beside which others are to be inserted, that are not in the file. */
export function anchorNotFound(
  verb: string, target: ApprovedPath,
  { content, anchor, parameter }: { content: string; anchor: string; parameter: string },
  context: VerbContext,
): HermesError {
  const part = partOfLines(content, anchor)
  const nearest = difference(content, anchor, parameter)
  const isNumber = /^\s*\d+\s*$/.test(anchor)
  const hints = [
    ...(isNumber ? [`To insert by the number of a line write line, not ${parameter}.`] : []),
    ...(part === undefined ? [] : [part]),
    ...(part === undefined && !isNumber && nearest.length === 0 ? [NOTHING_LIKE_IT] : nearest),
    ...earlierChanges(target, parameter, context),
  ]
  return new HermesError('TEXT_NOT_FOUND', `${verb}: ${parameter} not found in file`, { hint: hints.join('\n') })
}

const NOTHING_LIKE_IT = 'Nothing in the file is like it. Read the file again.'

/** A hint that this run changed the file earlier, for the parameter that names a place in it. */
export function earlierChanges(target: ApprovedPath, parameter: string, { files }: VerbContext): string[] {
  // Do not say how often: that depends on which blocks had arrived by then.
  if (!files.changes.some(({ kind, path }) => path === target && kind !== 'delete')) return []
  return [`This file was changed earlier in this run: ${parameter} must be as the file is after that.`]
}

/** Most characters that one run searches for the most similar passage, which takes the most time of all. */
const MOST_COMPARED = 50_000_000
const compared = new WeakMap<object, { runId: string; characters: number }>()

function mayCompare(content: string, { session, runId }: VerbContext): boolean {
  const known = compared.get(session)
  const characters = (known?.runId === runId ? known.characters : 0) + content.length
  compared.set(session, { runId, characters })
  return characters - content.length < MOST_COMPARED
}

/** Hints for an old text that leaves something out. */
function leftOut(oldText: string): string[] | undefined {
  const elision = oldText.split('\n').find((line) => DOTS.test(line)) ?? findElision(oldText, '')?.text
  if (elision !== undefined) {
    return [`A line '${elision.trim()}' stands for no others: write every line between the first and the last.`]
  }
  const fence = findStrayFence(oldText)
  if (fence === undefined) return undefined
  return [`old_text stands in a Markdown fence (${fence}). Leave out its first and last line.`]
}

const DOTS = /^\s*(?:\.\.\.|\u2026)\s*$/

/** A hint for an old text that is in the file, but begins or ends within a line. */
function partOfLines(content: string, oldText: string): string | undefined {
  const wanted = oldText.replace(/\r?\n$/, '')
  const at = textFinder(content, wanted)(0)
  if (at === -1) return undefined
  const begins = at === 0 || /[\n\ufeff]/.test(content[at - 1] ?? '')
  const ends = wanted.endsWith('\n') || /^(?:\r?\n|$)/.test(content.slice(at + wanted.length, at + wanted.length + 2))
  if (begins && ends) return undefined
  const line = countBreaks(content, 0, at) + 1
  return `It stands on line ${line}, but only as a part of lines. Write whole lines, indentation included.`
}

function difference(content: string, oldText: string, parameter: string): string[] {
  const nearest = nearestLines(content, oldText)
  if (!nearest) return []
  const { startLine, endLine } = nearest
  const where = startLine >= endLine ? `${startLine}` : `${startLine}-${endLine}`
  return [`${parameter} (-) against ${named(where)} of the file (+):`, ...differenceAt(content, oldText, nearest)]
}

function applied(content: string, newText: string, match: MatchMode): string[] {
  if (newText.trim() === '') return []
  const located = locate(content, newText, { match })
  if (located.kind !== 'found') return []
  return [mayBeApplied(named(lineRange(content, located.place)))]
}

function lineRange(content: string, { start, end }: Place): string {
  const first = countBreaks(content, 0, start) + 1
  const last = first + countBreaks(content, start, end) - (content[end - 1] === '\n' ? 1 : 0)
  return first >= last ? `${first}` : `${first}-${last}`
}

function named(range: string): string {
  return range.includes('-') ? `lines ${range}` : `line ${range}`
}
