import {
  alreadyApplied, located, type Located, type MatchMode, type Place, placesOf, type Steps,
} from '../engine/index.js'
import { countBreaks } from '../../../0-text/src/index.js'
import { type Scope, scopesOf } from './anchor-scopes.js'
import { type LineFinder, mostExact } from './find-lines.js'
import { type HunkFailure, lineOf, noAnchor, notAtEnd, notFound, standsBefore } from './hunk-failures.js'
import { type Hunk, type HunkLine, linesOf } from './patch.js'
import { linesFrom } from './lines-from.js'

export type Placement =
  | { kind: 'placed'; place: Place }
  | { kind: 'already-applied'; place: Place }
  | { kind: 'failed'; failure: HunkFailure }

/** What earlier hunks tell about the place of the next. */
export interface Progress {
  /** Offset behind the last line that the previous hunk changes. */
  cursor: number
  /** How many lines below its stated line the previous hunk applied. */
  drift: number
  /** Whether to search the most similar passage for a failure, which is the most expensive part. */
  explains: boolean
}

/**
 * Finds the one place of a hunk in the original text. Where several match, one must remain by its anchors, its line
 * number (exact matches only), the end of the file, blank lines without a sign, or the order of the hunks. Each step
 * passes over the text a few times at most.
 */
export function* placeHunk(
  text: string, hunk: Hunk, match: MatchMode, lines: LineFinder, progress: Progress,
): Steps<Placement> {
  const old = linesOf(hunk, 'old')
  const { scopes, missing } = hunk.anchors.length > 0 ? scopesOf(text, hunk.anchors, lines) : { scopes: [] }
  yield
  const searched = joined(old)
  const find: Find = (from, to) => lines.find(searched, from, to)
  if (missing !== undefined) {
    const done = match === 'tolerant' && old.length > 0 ? appliedBefore(text, hunk, searched) : undefined
    if (done !== undefined) return { kind: 'already-applied', place: done }
    const [elsewhere] = old.length > 0 ? placesOf(find(0, text.length)) : []
    return failed(yield* noAnchor(text, hunk, missing, { elsewhere, explains: progress.explains }))
  }
  if (old.length === 0) return placeInsertion(text, hunk, scopes)
  const last = hunk.atEnd ? placeAtEnd(text, find, lines, old.length) : undefined
  if (last !== undefined && scopes.every(({ start }) => last.end > start)) return { kind: 'placed', place: last }
  const inScope = yield* inScopes(text, find, scopes, old.length)
  if (inScope.kind !== 'missing' && hunk.atEnd) return failed(notAtEnd(text, placesOf(inScope)))
  if (inScope.kind === 'found') return { kind: 'placed', place: inScope.place }
  if (inScope.kind === 'ambiguous') {
    const told = yield* toldByBlanks(text, hunk, inScope, { scopes, lines })
    return told ? { kind: 'placed', place: told } : narrowed(text, hunk, inScope, { find, lines }, progress)
  }
  yield
  const applied = match === 'tolerant' ? appliedBefore(text, hunk, searched) : undefined
  if (applied !== undefined) return { kind: 'already-applied', place: applied }
  const [before] = scopes.length > 0 ? placesOf(find(0, text.length)) : []
  if (before !== undefined) return failed(standsBefore(text, hunk, before))
  yield
  return failed(yield* notFound(text, hunk, searched, { match, explains: progress.explains }))
}

type Find = (from: number, to: number) => Located

/** Searches in the anchors' scopes, else behind the first of them; anywhere where there are no anchors. */
function* inScopes(text: string, find: Find, scopes: readonly Scope[], lineCount: number): Steps<Located> {
  const matches: Located[] = []
  for (const scope of scopes) {
    const inside = startingIn(find(scope.start, endOfLines(text, scope.end, lineCount - 1)), scope)
    if (inside.kind !== 'missing') matches.push(inside)
    yield
  }
  const [only, another] = matches
  if (only !== undefined) return another === undefined ? only : combined(matches)
  const [first, second] = scopes
  const { length } = text
  const after = first === undefined ? find(0, length) : reaching(find(first.start, length), find, first, length)
  const next = after.kind === 'ambiguous' && second === undefined
    ? after.places.find(({ start }) => start === first?.bodyStart)
    : undefined
  return next === undefined ? after : { kind: 'found', place: next }
}

/** Where nothing behind the anchor matches, lines that include it may. */
function reaching(after: Located, find: Find, { start }: Scope, length: number): Located {
  return after.kind === 'missing' ? mostExact(placesOf(find(0, length)).filter(({ end }) => end > start)) : after
}

/** Keeps the places that begin in the scope. */
function startingIn(match: Located, scope: Scope): Located {
  return located(placesOf(match).filter(({ start }) => start < scope.end))
}

/** The strictest matches from several scopes, which may overlap. */
function combined(matches: readonly Located[]): Located {
  return mostExact([...new Map(matches.flatMap(placesOf).map((place) => [place.start, place])).values()])
}

function narrowed(
  text: string, hunk: Hunk, match: Located & { kind: 'ambiguous' },
  { find, lines: known }: { find: Find; lines: LineFinder },
  { cursor, drift }: Progress,
): Placement {
  const startOf = (line: number): number => known.lineStart(line) ?? endOfLines(text, 0, line)
  const { range } = hunk
  if (range !== undefined && match.tier === 'exact') {
    const start = startOf(range.oldStart - 1 + drift)
    const stated = match.places.find((place) => place.start === start)
      ?? placesOf(find(start, endOfLines(text, start, linesOf(hunk, 'old').length)))[0]
    if (stated?.start === start && stated.tier === 'exact') return { kind: 'placed', place: stated }
  }
  if (hunk.anchors.length === 0 && cursor > 0) {
    const later = find(cursor, text.length)
    if (later.kind === 'found') return { kind: 'placed', place: later.place }
  }
  const lines = match.places.map((place) => lineOf(text, place))
  return failed({
    code: 'AMBIGUOUS_MATCH',
    message: `its old lines stand at several places, on lines ${lines.join(', ')}${lines.length < 20 ? '' : ', …'}`,
    hint: 'Add context lines until only one place is like it, or name the function it is in after @@.',
  })
}

/** The place at the end of the file, ignoring blank lines there. */
function placeAtEnd(text: string, find: Find, lines: LineFinder, lineCount: number): Place | undefined {
  const blanks = countLines(text) - countLines(text.trimEnd())
  const first = Math.max(countLines(text) - blanks - lineCount, 0)
  const last = find(lines.lineStart(first) ?? endOfLines(text, 0, first), text.length)
  return placesOf(last).findLast(({ end }) => text.slice(end).trim() === '')
}

/** Of several places, the one where the unsigned blank lines of the patch stand in the file as well. */
function* toldByBlanks(
  text: string, { lines: own, blankEnd = 0 }: Hunk, match: Located & { kind: 'ambiguous' },
  { scopes, lines }: { scopes: readonly Scope[]; lines: LineFinder },
): Steps<Place | undefined> {
  const old = own.filter(({ sign }) => sign !== '+')
  for (let count = blankEnd; count > 0; count--) {
    const searched = joined(old) + '\n'.repeat(count)
    const more = yield* inScopes(text, (from, to) => lines.find(searched, from, to), scopes, old.length + count)
    const place = placesOf(more)[0]
    if (more.kind === 'found' && match.places.some(({ start }) => start === place?.start)) return place
    if (more.kind === 'ambiguous') return undefined
  }
  return undefined
}

/** Places a hunk of only new lines: an anchor or the end of the file must tell where. */
function placeInsertion(text: string, { atEnd }: Hunk, [scope, second]: readonly Scope[]): Placement {
  const bom = text.startsWith('\ufeff') ? 1 : 0
  const at = scope !== undefined && second === undefined && !atEnd ? scope.bodyStart
    : atEnd || text.length === bom ? text.length
    : undefined
  if (at !== undefined) {
    return { kind: 'placed', place: { start: at, end: at, tier: 'exact', shift: { added: '', removed: '' } } }
  }
  return failed({
    code: second === undefined ? 'INVALID_PARAMETER' : 'AMBIGUOUS_MATCH',
    message: second === undefined
      ? 'it has new lines only, and nothing says where they go'
      : `it has new lines only, and more than one line begins like what follows @@`,
    hint: 'Write some lines of the file around the new ones, each with a space in front.',
  })
}

/** Where the hunk has already been applied. One that only removes lines needs context on both sides to tell. */
function appliedBefore(text: string, hunk: Hunk, searched: string): Place | undefined {
  const isFilled = (line: HunkLine | undefined) => line !== undefined && line.text.trim() !== ''
  const adds = hunk.lines.some((line) => line.sign === '+' && isFilled(line))
  const isEnclosed = [hunk.lines[0], hunk.lines.at(-1)].every((line) => line?.sign === ' ' && isFilled(line))
  if (!adds && !isEnclosed) return undefined
  return alreadyApplied(text, searched, joined(linesOf(hunk, 'new')), 'tolerant')
}

function failed(failure: HunkFailure): Placement {
  return { kind: 'failed', failure }
}

function joined(lines: readonly HunkLine[]): string {
  return lines.map(({ text }) => `${text}\n`).join('')
}

/** The offset `count` lines behind another offset. */
function endOfLines(text: string, from: number, count: number): number {
  let end = from
  let left = count
  for (const line of left > 0 ? linesFrom(text, from, text.length) : []) {
    end = line.end
    left--
    if (left === 0) break
  }
  return end
}

function countLines(text: string): number {
  return countBreaks(text, 0, text.length) + (text === '' || text.endsWith('\n') ? 0 : 1)
}
