import { countBreaks } from '../../../../0-text/src/index.js'
import { opensHeredoc } from '../assignment.js'
import { closesFence, isEnvelopeFence, isLiveLanguage, readFenceOpener, type FenceOpener } from '../fences.js'
import { readHeader, readHeredocOpener } from '../grammar.js'
import { openQuotingFence } from '../quoting-fence.js'
import type { ScanState } from '../scan-state.js'
import { sectionAt, type SectionKind } from '../section-kinds.js'
import { openCommentAt, openSectionAt } from '../sections.js'

/** What is open behind a line, and where it was opened. */
type Around = { line: number } & (
  | { what: 'fence'; opener: FenceOpener; column: number }
  | { what: 'section'; kind: SectionKind }
  | { what: 'comment' }
)

/** Bullets and white space at the start of a line. */
const BEFORE = /^(?:[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t])*/
/** Longest line that can open or close anything. */
const MAX_LINE = 1000

/**
 * Where the end of a block is in doubt, reading resumes behind the last end marker of its id. A fence, a comment or a
 * section that opened on the way may be open there: its closer must not be taken for an opener, nor what it quotes for
 * live.
 *
 *     #!SHAM [@three-char-SHA-256: abc]
 *     content = <<'EOT_SHAM_abc'                 ← never ends
 *     ````markdown                               ← still open where reading resumes
 *     #!SHAM [@three-char-SHA-256: abc]
 *     #!END_SHAM_abc                             ← reading resumes behind this
 *     ````
 *
 * Heredocs of blocks on the way are passed over where they end.
 *
 * @param from absolute offset of the line `firstLine`, the first of the heredoc's content
 * @param to absolute offset of the end marker's line
 * @returns `to`, or the terminator's line of the heredoc that holds the end marker
 */
export function openAround(s: ScanState, from: number, firstLine: number, to: number): number {
  const text = s.region
  let line = firstLine
  let stop = to - s.source.base
  let isInBlock = false
  const outer: Around | undefined = s.fence && { what: 'fence', opener: s.fence, column: s.fence.indent, line: 0 }
  let around: Around | undefined = outer
  for (let at = from - s.source.base; at < stop;) {
    const newline = text.indexOf('\n', at)
    const next = newline < 0 ? stop : newline + 1
    const words = text.slice(at, Math.min(next, at + MAX_LINE)).trimEnd()
    around = lineIn(around, words, line)
    const body = words.trim()
    if (isLive(around) && body.startsWith('#')) isInBlock = readHeader(body) !== undefined
    const end = isInBlock && isLive(around) ? heredocEnd(s, body, next) : undefined
    if (end !== undefined && end > stop) stop = end
    line += end === undefined ? 1 : 1 + countBreaks(text, next, end)
    at = end ?? next
  }
  const resumed = s.abs(stop)
  if (around === outer) return resumed
  s.fence?.quotes?.close(line)
  s.fence = undefined
  if (around?.what === 'fence') {
    const { opener, column, line: startLine } = around
    openQuotingFence(s, opener, column, !isEnvelopeFence(opener.info) && isLiveLanguage(opener.info), startLine)
  } else if (around?.what === 'section') openSectionAt(s, around.kind, around.line)
  else if (around?.what === 'comment') openCommentAt(s, around.line)
  return resumed
}

/** The new state behind this line. */
function lineIn(around: Around | undefined, words: string, line: number): Around | undefined {
  const at = BEFORE.exec(words)![0].length
  switch (around?.what) {
    case undefined: {
      const opener = readFenceOpener(words, at, words.length)
      if (opener) return { what: 'fence', opener, column: at, line }
      if (words.startsWith('<!--', at)) return words.includes('-->', at + 2) ? undefined : { what: 'comment', line }
      const section = sectionAt(words, at, words.length)
      return section && !closes(section.kind, words) ? { what: 'section', kind: section.kind, line } : undefined
    }
    case 'fence': {
      const furthest = around.column + (isEnvelopeFence(around.opener.info) ? 0 : 3)
      return at <= furthest && closesFence(around.opener, words, at, words.length) ? undefined : around
    }
    case 'section': return closes(around.kind, words) ? undefined : around
    case 'comment': return words.includes('-->') ? undefined : around
  }
}

function closes(kind: SectionKind, words: string): boolean {
  return kind.closers.some((closer) => words.includes(closer))
}

/** Whether blocks are live here. */
function isLive(around: Around | undefined): boolean {
  if (around === undefined) return true
  return around.what === 'fence' && !isEnvelopeFence(around.opener.info) && isLiveLanguage(around.opener.info)
}

/** Start of the terminator's line of the heredoc that this line opens. */
function heredocEnd(s: ScanState, body: string, next: number): number | undefined {
  if (!opensHeredoc(body)) return undefined
  const word = readHeredocOpener(body).word?.trim()
  const start = word === undefined ? undefined : s.index!.nextWord(word, s.abs(next), Infinity)
  return start === undefined ? undefined : start - s.source.base
}
