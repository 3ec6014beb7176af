/**
 * What a slip may cost besides the block it lies in, by the contract's sentences (section 1). Where a slip is in none
 * of these rows, every other block must run, and nothing that is quoted may.
 */
import { SECTIONS, type Answer, type AnswerLine, type Segment } from './answers.js'
import { applySlip, type Slip, touchedLines } from './slips.js'

/** The slip lies in the block itself, or what it stands in. */
export const OWN = 'the block itself'
/** What is cut off is not there: no block that the slip costs. */
export const CUT = 'cut off'
const FENCES = 'fence delimiter'

/** Segments, by index, whose blocks may be lost (`lost`) or whose quotes may run (`bare`), with the reason. */
export interface Reach {
  lost: (segment: number) => string | undefined
  bare: (segment: number) => string | undefined
}

interface Row {
  reason: string
  /** The contract's words. */
  sentence: string
  applies: (touched: Touched) => boolean
  lost: Extent
  bare: Extent
}

/** Which segments a slip may cost: those up to where fences pair again, or up to the last end marker of the same id. */
type Extent = 'none' | 'own' | 'before' | 'after' | 'all' | 'fences' | 'comment' | 'id'

interface Touched {
  segment: Segment
  /** Old lines of the segment that the slip changes. */
  lines: readonly AnswerLine[]
  slip: Slip
  /** What has become of the changed lines, as far as they stand at the same place. */
  now: string
}

const FENCE = /(?:`{3,}|~{3,})/
const has = (...roles: AnswerLine['role'][]) => ({ lines }: Touched): boolean => (
  lines.some(({ role }) => roles.includes(role))
)

/** Breaks that may count as line ends, so that what follows may count as a line. */
const hasNewBreak = ({ kind, put }: Slip): boolean => kind === 'line end' && put !== '\r\n'

const isHarmless = ({ kind, put }: Slip): boolean => kind === 'line end' && put === '\r\n'

/** An opener with an info string that is there twice, or whose info string alone changed. */
function keepsFence(lines: readonly AnswerLine[], now: string, slip: Slip): boolean {
  const old = /^(\s*(?:- )?(?:`{3,}|~{3,}))[^`~]*[a-z][^`~]*$/.exec(lines[0]?.text ?? '')?.[1]
  if (old === undefined || (slip.kind !== 'double line' && !slip.kind.endsWith('character'))) return false
  return /^[^`~]*[a-z][^`~]*$/.test(now.slice(old.length)) && now.startsWith(old)
}

function touchesFence({ lines, now, slip, segment }: Touched): boolean {
  if (isHarmless(slip)) return false
  // A line that is less indented ends the list item, and the fence with it.
  if (segment.kind === 'envelope in a list' && !now.startsWith('  ')) return true
  if (keepsFence(lines, now, slip)) return false
  if (!FENCE.test(now) && !lines.some(({ text }) => FENCE.test(text))) return false
  // Out of its section the fence counts.
  if (slip.kind === 'swap lines' && has('delimiter')({ lines, now, slip, segment })) return true
  if (segment.kind === 'comment' || segment.kind === 'section') return false
  if (lines.some(({ role }) => role === 'fence' || role === 'delimiter')) return true
  if (!lines.some(({ role }) => role === 'quoted')) return false
  // A shorter fence in a longer one: only a fence that grew may close the longer one.
  return !segment.kind.endsWith(' fence') || slip.kind === 'double character'
}

const inSection = (edge: 'first' | 'last') => ({ segment, lines, slip }: Touched): boolean => {
  const delimiter = edge === 'first' ? segment.lines[0] : segment.lines.at(-1)
  if (segment.kind !== 'section' || !lines.includes(delimiter!)) return false
  return edge === 'first' || slip.kind !== 'double line'
}

const SECTION_TAGS = new Set(SECTIONS.map(([open]) => open))

const ROWS: readonly Row[] = [
  {
    reason: CUT, lost: 'after', bare: 'own', applies: ({ slip }) => slip.kind === 'cut',
    sentence: 'What is cut off is not there.',
  },
  {
    reason: FENCES, lost: 'fences', bare: 'fences', applies: touchesFence,
    sentence: 'Fences follow CommonMark: a closer that is lost or doubled pairs the fences after it anew.',
  },
  {
    reason: 'SEARCH/REPLACE block without its end', lost: 'after', bare: 'none',
    sentence: 'Content wins: what follows may be the new lines of the block, which has no end.',
    applies: ({ segment, lines }) => segment.kind === 'search-replace' && lines.some(({ text }) => /^>{7}/.test(text)),
  },
  {
    reason: 'a broken JSON string', lost: 'after', bare: 'after',
    sentence: 'A broken string ends the call at the first `</tool_call>` inside it; a header inside it is skipped.',
    applies: ({ segment, now }) => segment.kind === 'call' && (now.split('"').length - 1) % 2 === 1,
  },
  {
    reason: 'section opener', lost: 'before', bare: 'own', applies: inSection('first'),
    sentence: 'A stray closing tag: all before it is thinking (an echo section: back to the last of its name).',
  },
  {
    reason: 'section closer doubled', lost: 'before', bare: 'none',
    applies: ({ segment, lines, slip }) => segment.kind === 'section' && slip.kind === 'double line'
      && lines.includes(segment.lines.at(-1)!),
    sentence: 'A stray closing tag: all before it is thinking (an echo section: back to the last of its name).',
  },
  {
    reason: 'opener of another section', lost: 'all', bare: 'none',
    applies: (touched) => inSection('first')(touched) && SECTION_TAGS.has(touched.now)
      && touched.now !== touched.segment.lines[0]!.text,
    sentence: 'Each with its own closer. Unclosed: all that follows is skipped.',
  },
  {
    reason: 'section closer', lost: 'after', bare: 'none', applies: inSection('last'),
    sentence: 'Unclosed: all that follows is skipped.',
  },
  {
    reason: 'comment opener', lost: 'own', bare: 'own',
    sentence: 'An HTML comment opens first on a line: what has lost its opener is in none.',
    applies: ({ segment, lines }) => segment.kind === 'comment' && lines.includes(segment.lines[0]!),
  },
  {
    reason: 'comment closer', lost: 'comment', bare: 'none',
    sentence: 'It ends with the line that holds `-->`.',
    applies: ({ segment, lines }) => segment.kind === 'comment' && lines.includes(segment.lines.at(-1)!),
  },
  {
    reason: 'heredoc opener or header lost', lost: 'own', bare: 'own',
    sentence: 'A near-miss header opens a block for recognition; one that is gone quotes nothing.',
    applies: (touched) => has('header', 'heredoc')(touched) && touched.slip.kind !== 'double line'
      && !isHarmless(touched.slip) && (
      !touched.slip.kind.endsWith('character') || touched.segment.quotesItself === true
      || (has('header')(touched) && !/^#[ \t]*![ \t]*(?:sham|nesl)\b/i.test(touched.now))
      || (has('heredoc')(touched) && !touched.now.includes('<<'))),
  },
  {
    reason: 'end of a heredoc that quotes itself', lost: 'id', bare: 'own',
    sentence: 'The end is in doubt: every opener up to the last end marker of its id is listed in `skipped`.',
    applies: (touched) => touched.segment.quotesItself === true && !isHarmless(touched.slip) && (
      has('terminator', 'end')(touched)
      || touched.lines.some(({ role, text }) => role === 'content' && /#!|EOT_/.test(text))),
  },
  {
    reason: 'terminator and end marker lost', lost: 'after', bare: 'none',
    sentence: 'Heredoc open to the end, no own end marker: nothing after it runs.',
    applies: (touched) => has('terminator')(touched) && has('end')(touched) && touched.slip.kind !== 'swap lines',
  },
  {
    reason: 'line moved out of its quote', lost: 'own', bare: 'own',
    sentence: 'What stands behind a closer, or before an opener, is not quoted.',
    applies: (touched) => touched.slip.kind === 'swap lines' && has('delimiter')(touched) && has('quoted')(touched),
  },
  {
    reason: 'line of a blockquote', lost: 'own', bare: 'own',
    sentence: 'In a blockquote: what has lost its `>` is in none.',
    applies: ({ segment, slip, now }) => segment.kind === 'blockquote' && (!now.startsWith('> ') || hasNewBreak(slip)),
  },
  {
    reason: 'indented code', lost: 'own', bare: 'own', sentence: 'Indented four or more beyond its container.',
    applies: ({ segment, slip, now }) => (
      segment.kind === 'indented code' && (!/^ {6}/.test(now) || hasNewBreak(slip))),
  },
]

/** The last segment that a fence may take along whose opener or closer the slip has changed. */
function lastOfFences({ segments }: Answer, first: number, slip: Slip): number {
  const fence = segments[first]!.lines.map(({ text }) => FENCE.exec(text)?.[0]).find((run) => run !== undefined)
  if (fence === undefined) return segments.length
  const length = fence.length + (slip.kind === 'double character' ? 1 : 0)
  for (let index = first + 1; index < segments.length; index++) {
    const edges = segments[index]!.lines.filter(({ text }) => /^(?:- | {0,3})(?:`{3,}|~{3,})/.test(text))
    const lines = edges.map(({ text }) => text)
    const closing = edges.filter(({ text }) => {
      const run = FENCE.exec(text)![0]
      return run[0] === fence[0] && run.length >= length
    })
    if (closing.length === 0) continue
    // A plain fence is live: what is in a heredoc in it does not end it.
    if (closing.some(({ role }) => role === 'content')) return segments.length
    // An opener with an info string is content of the open fence, and the closer ends it.
    const pairs = lines.length === 2 && closing.length === 2 && /[a-z]/.test(lines[0]!)
    return pairs ? index : segments.length
  }
  return segments.length
}

/** The last segment that has an end marker of the one at `first`, in any spelling. */
function lastOfId({ segments }: Answer, first: number): number {
  const end = segments[first]!.lines.find(({ role }) => role === 'end')?.text
  const ends = new RegExp(`^\\s*#!(?:END_SHAM|END_NESL|end)_${/[^_]*$/.exec(end ?? '')![0]}$`)
  return segments.findLastIndex(({ lines }) => lines.some(({ text }) => ends.test(text)))
}

export function reachOf(answer: Answer, slip: Slip): Reach {
  const rows = answer.segments.flatMap((segment, index) => segment.lines.map((line) => ({ line, segment, index })))
  const touched = touchedLines(slip, rows.length).map((at) => rows[at]!)
  const now = applySlip(rows.map(({ line }) => line.text), slip).split('\n')[slip.line] ?? ''
  const direct = new Set(touched.map(({ index }) => index))
  const found = [...direct].flatMap((index) => {
    const segment = answer.segments[index]!
    const lines = touched.filter((one) => one.index === index).map(({ line }) => line)
    return ROWS.filter((row) => row.applies({ segment, lines, slip, now })).map((row) => ({ ...row, index }))
  })
  const reaches = (extent: Extent, from: number, to: number): boolean => {
    switch (extent) {
      case 'none': return false
      case 'own': return to === from
      case 'before': return to <= from
      case 'after': return to >= from
      case 'all': return true
      case 'fences': return to >= from && to <= lastOfFences(answer, from, slip)
      case 'comment': {
        const next = answer.segments.findIndex(({ kind }, index) => index > from && kind === 'comment')
        return to >= from && (next < 0 || to <= next)
      }
      case 'id': return to >= from && to <= lastOfId(answer, from)
    }
  }
  // A section whose opener the open fence has taken leaves its closer stray.
  const strays = found.some(({ lost, index }) => lost === 'fences'
    && answer.segments.some(({ kind }, at) => kind === 'section' && reaches('fences', index, at)))
  return {
    lost: (segment) => {
      if (direct.has(segment)) return OWN
      if (strays) return FENCES
      return found.find(({ lost, index }) => reaches(lost, index, segment))?.reason
    },
    bare: (segment) => found.find(({ bare, index, reason }) => {
      // The fence around a block does not quote what is in the block's heredoc.
      const holdsHeredoc = answer.segments[segment]!.kind === 'fenced heredoc' && slip.kind !== 'mangle line'
        && !/^[`~]{3,}(?!(?:sh|bash|shell|sham|nesl)?(?:\s|$))/.test(now)
      if (reason === FENCES && index === segment && holdsHeredoc) return false
      return reaches(bare, index, segment)
    })?.reason,
  }
}
