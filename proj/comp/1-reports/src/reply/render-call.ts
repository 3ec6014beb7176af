import type { ActionResult } from '../../../0-contracts/src/index.js'
import { oneLine } from '../safe-text.js'
import { contentsOf, type Content } from './contents.js'
import { DEFAULT_CALL_TOKENS } from './limits.js'
import {
  fitLines, frameLines, joined, lineTokens, LONGEST_LINE, NO_LINES, safeLine, type Lines,
} from './reply-lines.js'

/** What one call gave, as text for a model. */
export interface CallText {
  text: string
  /** The text is not all of it; it says where the rest is. */
  truncated: boolean
}

/**
 * What one call gave, in at most `tokens`: contents as they are, lists a row a line, cut at lines, with the call that
 * reads on. The one bound of what models are given of a call; the data of the result stays whole.
 *
 * @param wholeIn where all of it is kept, for the line that says so
 */
export function renderCall(
  result: Pick<ActionResult, 'action' | 'params' | 'ranAs' | 'data'>,
  { tokens = DEFAULT_CALL_TOKENS, wholeIn }: { tokens?: number; wholeIn?: string } = {},
): CallText {
  const contents = contentsOf(result, wholeIn)
  const { parts, isCut } = fitContents(contents, tokens)
  const lines = parts.flatMap(({ lines: each }) => each)
  return { text: lines.length === 0 ? 'Done.' : lines.join('\n'), truncated: isCut }
}

/** Room that a part has at least: for what is left out of it and how to come by it. */
const LEAST_OF_PART = 60
const ROOM_OF_REST = 24

interface Fitted {
  parts: { lines: readonly string[] }[]
  isCut: boolean
}

function fitContents(all: readonly Content[], tokens: number): Fitted {
  const contents = firstThatFit(all, tokens - ROOM_OF_REST)
  if (contents.length === all.length) return share(all, tokens)
  const left = `[${all.length - contents.length} of ${all.length} parts left out. Ask for fewer at once.]`
  return { parts: [...share(contents, tokens - ROOM_OF_REST).parts, { lines: [left] }], isCut: true }
}

/** Small ones whole; what they leave is shared by the others. */
function share(contents: readonly Content[], tokens: number): Fitted {
  const sized = contents.map((content, index) => ({ content, index, size: sizeOf(content, tokens) }))
  sized.sort((a, b) => a.size - b.size || a.index - b.index)
  const parts: Fitted['parts'] = []
  let room = tokens
  let isCut = false
  sized.forEach(({ content, index }, done) => {
    const shown = fitContent(content, Math.floor(room / (sized.length - done)))
    room -= shown.tokens
    isCut ||= shown.isCut
    parts[index] = shown
  })
  return { parts, isCut }
}

function firstThatFit(all: readonly Content[], tokens: number): readonly Content[] {
  let sum = 0
  const end = all.findIndex((content) => {
    const title = content.title === undefined ? NO_LINES : titleOf(content.title)
    sum += Math.min(sizeOf(content, tokens), title.tokens + LEAST_OF_PART)
    return sum > tokens
  })
  return end === -1 ? all : all.slice(0, end)
}

function fitContent(content: Content, tokens: number): Lines & { isCut: boolean } {
  const title = content.title === undefined ? NO_LINES : titleOf(content.title)
  const body = fitLines(content.lines, tokens - title.tokens, {
    keeps: content.keeps, mark: '', omission: (from, to) => content.omission(from, to).map((line) => `[${line}]`),
  })
  if (body.left !== undefined && body.lines.length === 0) {
    const left = frameLines([`[${content.lines.length} lines left out.]`])
    return { ...joined(title.tokens + left.tokens <= tokens ? [title, left] : [left]), isCut: true }
  }
  const isCut = body.left !== undefined || content.isClipped === true
    || content.lines.some((line) => line.length > LONGEST_LINE)
  return { ...joined([title, body]), isCut }
}

const LONGEST_TITLE = 200

function titleOf(title: string): Lines {
  return frameLines([oneLine(title.toWellFormed(), LONGEST_TITLE)])
}

/** What it would take, no further than `most`. */
function sizeOf({ title = '', lines }: Content, most: number): number {
  let sum = lineTokens(title)
  for (const line of lines) {
    sum += lineTokens(safeLine(line))
    if (sum > most) break
  }
  return sum
}
