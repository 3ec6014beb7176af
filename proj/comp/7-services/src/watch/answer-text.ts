import { createHash } from 'node:crypto'
import { parseAnswer } from '../../../1-reading/src/index.js'
import { readResponse } from '../../../2-transcripts/src/index.js'
import type { HermesOptions } from '../../../0-contracts/src/index.js'

/**
 * First line of a summary that stands above an answer, and the line that ends it. An HTML comment:
 * nothing in one is live.
 */
const SUMMARY = /^<!-- hermes watch:[^\n]*\n(?:(?!-->\r?\n)[^\n]*\n)*-->\r?\n(?:\r?\n)?/
const MARK = '\uFEFF'

export interface AnswerFile {
  /** What runs. */
  text: string
  /** What stands before it: a byte order mark. */
  mark: string
}

/** The answer in the text of a file: without the summary that hermes put above it. */
export function answerOf(content: string): AnswerFile {
  const mark = content.startsWith(MARK) ? MARK : ''
  return { mark, text: content.slice(mark.length).replace(SUMMARY, '') }
}

/** The content of a file with a summary above its answer, in place of one that is there. */
export function withSummary({ mark, text }: AnswerFile, title: string, lines: readonly string[]): string {
  const inside = lines.map((line) => `  ${inert(line)}`.trimEnd())
  return `${mark}<!-- hermes watch: ${inert(title)}\n${inside.join('\n')}\n-->\n\n${text}`
}

/** Nothing in it ends the comment. */
function inert(line: string): string {
  return line.replace(/[\r\n]/g, ' ').replace(/--(?=[!-]?>|-)/g, '- -').replaceAll('-->', '-- >')
}

/** Names an answer by its content: what an editor adds or leaves out at the end makes no new answer. */
export function answerHash(text: string): string {
  return createHash('sha256').update(text.trimEnd()).digest('hex')
}

export type ReadSettings = Pick<HermesOptions, 'editFormats' | 'startsInThink'>

export interface Look {
  /** There is a live block, or something that nearly is one. */
  hasBlocks: boolean
  /** The text ends inside of a block: its writer may not be done. */
  isCutOff: boolean
  skipped: number
}

const CUT_OFF = new Set(['UNCLOSED_HEREDOC', 'UNCLOSED_BLOCK', 'UNCLOSED_FENCE', 'UNCLOSED_THINK', 'UNCLOSED_COMMENT'])

/** What a text holds, without running anything of it. */
export function lookAt(text: string, { editFormats, startsInThink }: ReadSettings): Look {
  const options = { ...(editFormats && { editFormats }), ...(startsInThink !== undefined && { startsInThink }) }
  const response = readResponse(text)
  const { blocks, errors, skipped } = parseAnswer(response ?? text, options)
  return {
    hasBlocks: blocks.length + errors.length > 0,
    isCutOff: response?.isCutOff === true || errors.some(({ error }) => CUT_OFF.has(error.code)),
    skipped: skipped.length,
  }
}
