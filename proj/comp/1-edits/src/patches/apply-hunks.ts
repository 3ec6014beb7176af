import { caught, HermesError } from '../../../0-contracts/src/index.js'
import {
  checkInserted, type LineSet, lineSet, MATCH_TIERS, type MatchMode, type MatchTier, type Place, type Steps,
} from '../engine/index.js'
import { countBreaks } from '../../../0-text/src/index.js'
import { applyAsGit, type Doubt } from './apply-as-git.js'
import { indexedFinder, plainFinder } from './find-lines.js'
import { editsOf, type TextEdit, withEdits } from './hunk-edits.js'
import type { Hunk } from './patch.js'
import type { HunkFailure } from './hunk-failures.js'
import { placeHunk } from './place-hunk.js'

/** What happened to one hunk. */
export interface HunkOutcome {
  /** 1-based number of the hunk in the file's part of the patch. */
  hunk: number
  /** 1-based line of the patch. */
  patchLine: number
  /** 1-based line of the original file where the hunk applies. */
  line?: number
  match?: MatchTier
  /** The hunk's new text was already there. */
  alreadyApplied?: true
  failure?: HunkFailure
}

export interface Application {
  /** The new text; `undefined` where any hunk failed, since all apply or none. */
  text: string | undefined
  /** The loosest tier that any hunk needed. */
  match: MatchTier
  outcomes: HunkOutcome[]
}

export interface ApplyOptions {
  /** Path of the file: some checks depend on its extension. */
  path: string
  /** `exact`: V4A hunks need exact lines, unified ones must be acceptable to `git apply`. */
  match: MatchMode
  format: 'v4a' | 'unified'
  /** Called between steps of the work, so that other tasks get a turn. */
  pause?: (() => Promise<void>) | undefined
}

/**
 * Applies hunks to a text. Unified hunks that `git apply` accepts are applied as it does; else each hunk is located on
 * its own in the original text (`placeHunk`), and no two may change the same lines.
 */
export async function applyHunks(
  text: string, hunks: readonly Hunk[], { path, match, format, pause }: ApplyOptions,
): Promise<Application> {
  const outcomes: HunkOutcome[] = []
  const known = lineSet(text)
  for (const [index, hunk] of hunks.entries()) {
    const failure = mistakeIn(text, known, hunk, path, index + 1)
    outcomes.push({ hunk: index + 1, patchLine: hunk.line, ...(failure && { failure }) })
    await pause?.()
  }
  if (format === 'v4a' || outcomes.some(({ failure }) => failure)) {
    return applyLocated(text, hunks, outcomes, { match, pause })
  }
  const asGit = await paced(applyAsGit(text, hunks), pause)
  if (asGit.refused === undefined) {
    for (const [index, line] of asGit.starts.entries()) Object.assign(outcomes[index] ?? {}, { line, match: 'exact' })
    if (match === 'tolerant') refuseDoubts(asGit.doubts, outcomes)
    const failed = outcomes.some(({ failure }) => failure !== undefined)
    return { text: failed ? undefined : asGit.text, match: 'exact', outcomes }
  }
  const located = await applyLocated(text, hunks, outcomes, { match, pause })
  const refused = located.outcomes[asGit.refused]
  if (match === 'tolerant' || located.text === undefined || refused === undefined) return located
  refused.failure = named({
    code: 'TEXT_NOT_FOUND',
    message: 'git apply would not take it: its counts are wrong, or it must match the beginning or the end of the file',
    hint: 'Make the diff again, with context lines on both sides, or allow tolerant matching.',
  }, refused)
  return { ...located, text: undefined }
}

/**
 * Refuses hunks with a doubtful place: models also leave out trailing context elsewhere than at the end of the file.
 */
function refuseDoubts(doubts: readonly Doubt[], outcomes: readonly HunkOutcome[]): void {
  for (const { index, lines: [other, taken] } of doubts) {
    const outcome = outcomes[index]
    if (outcome === undefined) continue
    outcome.failure = named({
      code: 'AMBIGUOUS_MATCH',
      message: `its old lines stand on line ${other} as well as on line ${taken}, where git apply would take it`,
      hint: 'Add context until only one place is like it: without a line behind it a hunk means the end of the file.',
    }, outcome)
  }
}

/** Most failing hunks for which the most similar passage is searched. */
const MOST_EXPLAINED = 5

/**
 * Most characters of the file to search through in total once a hunk has failed; further hunks are then not tried. In a
 * file of ten million characters that is about 25 hunks.
 */
const MOST_SOUGHT = 250_000_000
const NOT_SOUGHT: HunkFailure = {
  code: 'TEXT_NOT_FOUND',
  message: 'it was not looked for, since so many hunks before it failed',
  hint: 'Read the file again, and send fewer hunks at a time.',
}

/** Most hunks for which lines are searched without an index. */
const FEW = 3

interface Placed {
  index: number
  place: Place
  edits: TextEdit[]
}

async function applyLocated(
  text: string, hunks: readonly Hunk[], outcomes: HunkOutcome[],
  { match, pause }: Pick<ApplyOptions, 'match' | 'pause'>,
): Promise<Application> {
  const placed: Placed[] = []
  const lineOf = lineNumbers(text)
  const lines = hunks.length > FEW ? await paced(indexedFinder(text, match), pause) : plainFinder(text, match)
  let [cursor, drift, explained, sought] = [0, 0, 0, 0]
  for (const [index, hunk] of hunks.entries()) {
    const outcome = outcomes[index]
    if (outcome === undefined || outcome.failure !== undefined) continue
    if (sought > MOST_SOUGHT) {
      outcome.failure = named(NOT_SOUGHT, outcome)
      continue
    }
    const soughtBefore = lines.sought
    const progress = { cursor, drift, explains: explained < MOST_EXPLAINED }
    const placement = await paced(placeHunk(text, hunk, match, lines, progress), pause)
    if (placement.kind === 'failed') {
      outcome.failure = named(placement.failure, outcome)
      explained++
      sought += Math.max(text.length, lines.sought - soughtBefore)
      continue
    }
    const { place } = placement
    outcome.line = lineOf(place.start)
    outcome.match = place.tier
    const edits = placement.kind === 'placed' ? editsOf(text, hunk, place) : []
    // The next hunk may begin with the context that this one ends with.
    cursor = edits.at(-1)?.end ?? place.start
    if (placement.kind === 'placed') placed.push({ index, place, edits })
    else outcome.alreadyApplied = true
    if (hunk.range !== undefined) drift = outcome.line - hunk.range.oldStart
  }
  placed.sort((a, b) => a.place.start - b.place.start || a.index - b.index)
  refuseOverlaps(placed, outcomes)
  const failed = outcomes.some(({ failure }) => failure !== undefined)
  const edits = placed.flatMap((hunk) => hunk.edits).sort((a, b) => a.start - b.start || a.end - b.end)
  const needed = MATCH_TIERS.findLast((tier) => outcomes.some((outcome) => outcome.match === tier)) ?? 'exact'
  return { text: failed ? undefined : withEdits(text, edits), match: needed, outcomes }
}

async function paced<T>(steps: Steps<T>, pause: ApplyOptions['pause']): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await pause?.()
  }
}

/** Hunks may share context, but a line that one of them removes or splits belongs to it alone. */
function refuseOverlaps(placed: readonly Placed[], outcomes: HunkOutcome[]): void {
  let before: Placed | undefined
  for (const next of placed) {
    if (before !== undefined && conflict(before, next)) {
      const later = outcomes[Math.max(before.index, next.index)]
      const first = Math.min(before.index, next.index) + 1
      if (later !== undefined && later.failure === undefined) {
        later.failure = named({
          code: 'INVALID_PARAMETER',
          message: `it changes lines that hunk ${first} changes or has as context`,
          hint: 'Write both as one hunk. Hunks describe the file as it is before the patch.',
        }, later)
      }
    }
    if (before === undefined || next.place.end > before.place.end) before = next
  }
}

function conflict(before: Placed, next: Placed): boolean {
  return next.place.start < before.place.end && (touches(before, next) || touches(next, before))
}

/** Whether an edit of one hunk lies inside the lines of the other. */
function touches({ edits }: Placed, { place }: Placed): boolean {
  return edits.some(({ start, end }) => start === end
    ? start > place.start && start < place.end
    : start < place.end && end > place.start)
}

function named(failure: HunkFailure, { hunk, patchLine }: HunkOutcome): HunkFailure {
  return { ...failure, message: `${hunkName(hunk, patchLine)}: ${failure.message}` }
}

function hunkName(hunk: number, patchLine: number): string {
  return `hunk ${hunk} (line ${patchLine} of the patch)`
}

/** Typical mistakes of models in new lines: omitted code, line numbers, fences. */
function mistakeIn(
  text: string, lines: LineSet, hunk: Hunk, path: string, number: number,
): HunkFailure | undefined {
  const side = (wanted: '-' | '+') => hunk.lines.filter(({ sign }) => sign === wanted)
    .map((line) => `${line.text}\n`).join('')
  return caught(HermesError, () => {
    checkInserted({
      verb: hunkName(number, hunk.line), parameter: 'its new lines', path, content: text, lines,
      removed: side('-'), inserted: side('+'),
    })
    return undefined
  }, ({ code, message, hint = '' }) => ({ code, message, hint }))
}

/** Gives the 1-based line of an offset; fast for ascending offsets. */
function lineNumbers(text: string): (offset: number) => number {
  let [from, line] = [0, 1]
  return (offset) => {
    if (offset < from) [from, line] = [0, 1]
    line += countBreaks(text, from, offset)
    from = offset
    return line
  }
}

/** The content of a file that a patch creates. */
export function createdText({ hunks }: { hunks: readonly Hunk[] }): string {
  const lines = hunks.flatMap((hunk) => hunk.lines).filter(({ sign }) => sign === '+')
  return lines.map(({ text, bare }) => bare === true ? text : `${text}\n`).join('')
}
