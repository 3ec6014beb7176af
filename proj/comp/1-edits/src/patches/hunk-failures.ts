import {
  differenceAt, findElision, type MatchMode, nearestLinesSteps, nearestPassageSteps, type Place, type Steps,
} from '../engine/index.js'
import type { ErrorCode } from '../../../0-contracts/src/index.js'
import { countBreaks } from '../../../0-text/src/index.js'
import { type Hunk, linesOf } from './patch.js'

/** Why a hunk cannot be applied. */
export interface HunkFailure {
  code: ErrorCode
  message: string
  hint: string
}

const DOTS = /^\s*(?:\.\.\.|\u2026)\s*$/

export function* notFound(
  text: string, hunk: Hunk, searched: string, { match, explains }: { match: MatchMode; explains: boolean },
): Steps<HunkFailure> {
  const elided = linesOf(hunk, 'old').find(({ text: line }) => DOTS.test(line) || findElision(line, '') !== undefined)
  // In tolerant mode, differences in line endings do not count.
  const compared = match === 'exact' ? [text, searched] as const : [withLf(text), withLf(searched)] as const
  const hint = elided !== undefined
    ? `A line '${elided.text.trim()}' stands for no others: write every line between the first and the last.`
    : explains ? yield* mostAlike(...compared) : 'Read the file again.'
  return { code: 'TEXT_NOT_FOUND', message: 'its old lines are not in the file', hint }
}

function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function* mostAlike(text: string, searched: string): Steps<string> {
  const passage = (yield* nearestPassageSteps(text, searched))
    ?.replaceAll('an old_text', 'a hunk').replaceAll('old_text', 'the hunk')
  yield
  return [
    passage ?? 'Nothing in the file is like it. Read the file again.', ...yield* difference(text, searched),
  ].join('\n')
}

/** No line of the file matches what follows `@@`. */
export function* noAnchor(
  text: string, { anchors }: Hunk, missing: string,
  { elsewhere, explains }: { elsewhere: Place | undefined; explains: boolean },
): Steps<HunkFailure> {
  const before = anchors.slice(0, anchors.indexOf(missing))
  const nearest = explains ? yield* nearestLinesSteps(text, missing) : undefined
  const alike = nearest?.difference.find((line) => line.startsWith('+ '))?.slice(2).trim()
  return {
    code: 'TEXT_NOT_FOUND',
    message: `no line of the file${before.length > 0 ? ` after '@@ ${before.join(' @@ ')}'` : ''} is '@@ ${missing}'`,
    hint: [
      'Write a line of the file after @@, as it is there, or nothing.',
      ...(alike === undefined ? [] : [`Most alike is line ${nearest?.startLine}: ${alike}`]),
      ...(elsewhere === undefined ? [] : [`Its old lines stand on line ${lineOf(text, elsewhere)}.`]),
    ].join(' '),
  }
}

/** `*** End of File` follows lines that stand elsewhere in the file. */
export function notAtEnd(text: string, places: readonly Place[]): HunkFailure {
  const lines = places.map((place) => lineOf(text, place))
  return {
    code: 'TEXT_NOT_FOUND',
    message: `its old lines are not at the end of the file, as '*** End of File' says`,
    hint: `They stand on ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}: leave out '*** End of File', `
      + 'or write the last lines of the file.',
  }
}

/** 1-based line of a place. */
export function lineOf(text: string, { start }: Place): number {
  return countBreaks(text, 0, start) + 1
}

/** The lines stand in another function than the one named after `@@`. */
export function standsBefore(text: string, { anchors }: Hunk, place: Place): HunkFailure {
  return {
    code: 'TEXT_NOT_FOUND',
    message: `its old lines are not in or after '@@ ${anchors.join(' @@ ')}'`,
    hint: `They stand before it, on line ${lineOf(text, place)}. Name the function they are in after @@, `
      + 'or nothing.',
  }
}

function* difference(text: string, searched: string): Steps<string[]> {
  const nearest = yield* nearestLinesSteps(text, searched)
  if (nearest === undefined) return []
  const { startLine, endLine } = nearest
  const where = startLine >= endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`
  return [`The hunk's old lines (-) against ${where} of the file (+):`, ...differenceAt(text, searched, nearest)]
}
