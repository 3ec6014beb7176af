import { INDENT } from '../block-frames.js'
import { oneLine } from '../safe-text.js'
import type { Content } from './contents.js'
import {
  contentLine, fitLines, frameLines, joined, lineTokens, LONGEST_LINE, NO_LINES, safeLine, type LineCut, type Lines,
} from './reply-lines.js'

/** The part of a content for which there was room. */
export interface ShownContent extends Lines {
  isCut: boolean
}

export interface SharedRoom {
  /** Parts in order; the last ones may be missing for lack of room. */
  parts: ShownContent[]
  tokens: number
  isCut: boolean
}

/** In a reply content lines are marked, to distinguish them from its own text, which is only indented. */
type Marks = Pick<LineCut, 'isMarked'>

/** Least tokens for a part: to say what was omitted and how to get it. */
const LEAST_OF_PART = 60
const ROOM_OF_REST = 24

/** Fits all parts into the room; where it is too small, the first parts and the number of the others. */
export function shareRoom(all: readonly Content[], tokens: number, marks: Marks): SharedRoom {
  const contents = firstThatFit(all, tokens - ROOM_OF_REST)
  if (contents.length === all.length) return share(all, tokens, marks)
  const left = `[${all.length - contents.length} of ${all.length} parts left out. Ask for fewer at once.]`
  const rest = frameLines([framed(left, marks)])
  const shown = share(contents, tokens - rest.tokens, marks)
  return { parts: [...shown.parts, { ...rest, isCut: true }], tokens: shown.tokens + rest.tokens, isCut: true }
}

/** Small parts are shown in full; the others share the rest. */
export function share(contents: readonly Content[], tokens: number, marks: Marks): SharedRoom {
  const sized = contents.map((content, index) => ({ content, index, size: sizeOf(content, tokens) }))
  sized.sort((a, b) => a.size - b.size || a.index - b.index)
  const parts: ShownContent[] = []
  let room = tokens
  sized.forEach(({ content, index }, done) => {
    const shown = fitContent(content, Math.floor(room / (sized.length - done)), marks)
    room -= shown.tokens
    parts[index] = shown
  })
  return { parts, tokens: tokens - room, isCut: parts.some(({ isCut }) => isCut) }
}

function firstThatFit(all: readonly Content[], tokens: number): readonly Content[] {
  let sum = 0
  const end = all.findIndex((content) => {
    sum += leastOf(content, tokens)
    return sum > tokens
  })
  return end === -1 ? all : all.slice(0, end)
}

/** Least tokens with which to begin a part. */
export function leastOf(content: Content, tokens: number): number {
  return Math.min(sizeOf(content, tokens), titleOf(content, { isMarked: false }).tokens + LEAST_OF_PART)
}

function fitContent(content: Content, tokens: number, marks: Marks): ShownContent {
  const title = titleOf(content, marks)
  const body = fitLines(content.lines, tokens - title.tokens, {
    keeps: content.keeps, isMarked: marks.isMarked,
    omission: (from, to) => content.omission(from, to).map((line) => framed(`[${line}]`, marks)),
  })
  const whole = joined([title, body])
  if (whole.tokens > tokens || (body.left !== undefined && body.lines.length === 0)) {
    const { length } = content.lines
    const left = frameLines([framed(length === 0 ? '[…]' : `[${length} lines left out.]`, marks)])
    const some = [[title, left], [left], []].map(joined).find((lines) => lines.tokens <= tokens) ?? NO_LINES
    return { ...some, isCut: true }
  }
  const isCut = body.left !== undefined || content.isClipped === true
    || content.lines.some((line) => line.length > LONGEST_LINE)
  return { ...whole, isCut }
}

const LONGEST_TITLE = 200

/** Titles that hermes writes: names, paths, own words. Other titles are untrusted and might imitate them. */
const OWN_TITLE = new RegExp([
  '^(?:(?:[^\\s:]+|[^:]*/[^:]*): )?unchanged since you read it$', '^exit code: -?\\d+$', '^lines \\d+–\\d+ of \\d+',
  '^nothing found$', '^[^\\s:]+$', '^[a-z][^\\s:]*:$', '^[^:]*/[^:]*$',
].join('|'))

function titleOf({ title }: Content, marks: Marks): Lines {
  if (title === undefined) return NO_LINES
  const line = oneLine(title.toWellFormed(), LONGEST_TITLE)
  if (!marks.isMarked || OWN_TITLE.test(line)) return frameLines([framed(line, marks)])
  const marked = contentLine(line)
  return { lines: [marked], tokens: lineTokens(marked) }
}

function framed(line: string, { isMarked }: Marks): string {
  return isMarked ? `${INDENT}${line}` : line
}

/** Tokens that a content would take, counted up to `most`. */
export function sizeOf({ title = '', lines }: Pick<Content, 'title' | 'lines'>, most: number): number {
  let sum = lineTokens(title) + MARK_TOKENS
  for (const line of lines) {
    sum += lineTokens(safeLine(line)) + MARK_TOKENS
    if (sum > most) break
  }
  return sum
}

const MARK_TOKENS = 2
