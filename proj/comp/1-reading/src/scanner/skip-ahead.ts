import { CharSet, endOfRun } from './char-set.js'
import { mayNameFile } from './edits/edit-paths.js'
import { mayHavePathAbove } from './edits/path-above.js'
import type { Landmarks } from './landmarks.js'
import type { OpenSection, ScanState } from './scan-state.js'

/**
 * Skips lines that can neither begin nor end anything. Native search finds the few texts that can (`Landmarks`). What
 * lies between only changes list items and paragraphs, whose state is known again at a line that does not depend on
 * earlier ones.
 *
 *     prose, more prose     ← skipped
 *     A line in column 0    ← reading continues here: any open list has ended
 *     - item
 *       ```                 ← the next landmark
 */
export function skipAhead(s: ScanState): void {
  if (s.call || s.dialect || s.block || s.edit || s.envelope || s.callNext || s.resultMark !== undefined) return
  if (s.section ?? s.comment) return skipQuoted(s, (s.section ?? s.comment)!)
  // The next line decides whether a diff begins.
  if (s.diffStart?.line === s.line) return
  // A fence in a list item may end at any line.
  if (
    s.fence && (s.fence.nearEnvelope
      || ((s.formats.size > 0 || s.fence.isDiff) && s.fence.edits === 'unknown' && !s.fence.live)
      || s.fence.quotes?.isOpen || s.list.length > 0)
  ) {
    return
  }
  if (s.aside?.quotes.isOpen) return
  // The first line of a fence may name its file.
  if (s.fence?.startLine === s.line && mayNameFile(s.region, s.pos)) return
  const text = s.region
  // A blank line is read normally, and skips those that follow.
  if (s.pos < s.readUntil || (!s.fence && text.charCodeAt(s.pos) === 0x0a)) return
  const sighted = s.ledger.nextFrom(s.abs(s.pos)) - s.source.base
  const others = Math.min(sighted, s.landmarks.others(text, s.pos))
  if (others > s.pos && !s.fence && s.formats.size === 0) passFences(s, others)
  const landmark = Math.min(others, nextRun(s, others))
  if (landmark - s.pos < MIN_SKIP) {
    // The landmark's line is read too.
    s.readUntil = landmark + 1
    return
  }
  const line = text.lastIndexOf('\n', landmark - 1) + 1
  const to = s.fence ? line : independentLine(text, s.pos, line)
  // The rest of this stretch was searched already.
  s.readUntil = line
  if (to > s.pos) passLines(s, to)
}

/** Outside of fences, no list and no paragraph goes on behind them. */
function passLines(s: ScanState, to: number): void {
  s.passTo(to)
  s.endAside()
  if (s.fence) return
  s.list = []
  s.paragraph = false
}

/** Skips lines of a section or comment that neither end it nor begin a block. */
function skipQuoted(s: ScanState, { closers, quotes }: OpenSection): void {
  const { region: text, pos } = s
  if (quotes.isOpen || s.formats.size > 0 || pos < s.readUntil || text.startsWith(closers[0]!, pos)) return
  const sighted = s.ledger.nextFrom(s.abs(pos)) - s.source.base
  const stop = Math.min(sighted, s.landmarks.quotes(text, pos, closers))
  const line = text.lastIndexOf('\n', stop - 1) + 1
  if (line > pos) s.passTo(line)
  s.readUntil = stop + 1
}

/**
 * The next run of backticks or tildes that may not be content of the open fence.
 *
 * @param limit offset of the next other landmark, where the search is repeated
 */
function nextRun({ region: text, pos, landmarks, fence }: ScanState, limit: number): number {
  let at = landmarks.runs(text, pos)
  if (!fence || fence.live || fence.showsBlocks) return at
  while (at < limit && (at === 0 || text.charCodeAt(at - 1) === 0x0a)) {
    const end = endOfRun(text, at)
    const lineEnd = plainInfoEnd(text, end)
    // Behind a run that is long enough, an opening line may be glued to a closing one.
    if (lineEnd < 0 || lineEnd === end || end - at >= fence.length + 3) break
    at = landmarks.runs(text, lineEnd)
  }
  return at
}

/**
 * Skips simple closed fences in column 0 without anything of interest, and the prose between. Such a fence ends any
 * list or quote before it, and leaves no state behind.
 *
 * @param limit offset of the next other landmark
 */
function passFences(s: ScanState, limit: number): void {
  const text = s.region
  let passed = s.pos
  for (let opener = s.landmarks.runs(text, passed); opener < limit;) {
    const end = text.charCodeAt(opener - 1) === 0x0a || opener === 0 ? plainFenceEnd(text, opener, s.landmarks) : -1
    if (end < 0 || end > limit || mayHavePathAbove(text, opener)) break
    passed = end
    opener = s.landmarks.runs(text, end)
  }
  if (passed > s.pos) passLines(s, passed)
}

/** Offset behind the closing line of a fence at `at` with three signs and a plain language; -1 for others. */
function plainFenceEnd(text: string, at: number, landmarks: Landmarks): number {
  const lineEnd = plainInfoEnd(text, at + 3)
  if (lineEnd < 0 || mayNameFile(text, lineEnd + 1)) return -1
  const closer = landmarks.runs(text, lineEnd)
  return text.charCodeAt(closer - 1) === 0x0a && text.charCodeAt(closer) === text.charCodeAt(at)
    && text.charCodeAt(closer + 3) === 0x0a ? closer + 4 : -1
}

/** End of the line whose info string begins at `from`, if that is empty or a plain language; else -1. */
function plainInfoEnd(text: string, from: number): number {
  let end = from
  while (isWordPart(text.charCodeAt(end))) end++
  if (text.charCodeAt(end) !== 0x0a || end - from > MAX_PLAIN) return -1
  return end > from && NOT_PLAIN.test(text.slice(from, end)) ? -1 : end
}

const MAX_PLAIN = 20
/** Languages whose fences hold blocks, near misses or edits. */
const NOT_PLAIN = /hermes|sham|nesl|^(?:diff|patch)$/i

function isWordPart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a)
}

/** Shortest stretch worth searching. */
const MIN_SKIP = 64

/**
 * Start of the last line at or before `at` whose meaning does not depend on earlier lines; `from` where there is none.
 */
function independentLine(text: string, from: number, at: number): number {
  let start = at
  while (start > from) {
    const code = text.charCodeAt(start)
    if (code !== 0x0a && start < text.length && (!DEPENDENT.has(code) || beginsList(text, start))) return start
    // A blank line needs no search; `lastIndexOf` with a negative index would begin at 0.
    start = start === 1 || text.charCodeAt(start - 2) === 0x0a ? start - 1 : text.lastIndexOf('\n', start - 2) + 1
  }
  return from
}

/** `- word`, `1. word`: opens an item in any context, and ends any open list. */
function beginsList(text: string, start: number): boolean {
  const code = text.charCodeAt(start)
  const isNumber = code === 0x31 && text.charCodeAt(start + 1) === 0x2e
  if (!isNumber && code !== 0x2d && code !== 0x2a && code !== 0x2b) return false
  const at = isNumber ? start + 2 : start + 1
  return text.charCodeAt(at) === 0x20 && isWordPart(text.charCodeAt(at + 1))
}

/** First characters of lines that may belong to a list item, start one, or underline a heading. */
const DEPENDENT = new CharSet(' \t\r\n-*+=_0123456789')
