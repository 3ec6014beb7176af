import { createHash } from 'node:crypto'
import { hasOnlyCrlf, lineFeeds } from '../../../0-text/src/index.js'
import { parseAnswer } from '../../../1-reading/src/index.js'
import { readResponse } from '../../../2-transcripts/src/index.js'
import type { HermesOptions } from '../../../0-contracts/src/index.js'

/**
 * A summary that hermes put above an answer: its first line up to the line that ends it. An HTML comment, in which
 * nothing is live.
 */
const SUMMARY = /^<!-- hermes watch:[^\n]*\n(?:(?!-->\r?\n)[^\n]*\n)*-->\r?\n(?:\r?\n)?/
const MARK = '\uFEFF'

export interface AnswerFile {
  /** The text to run, with the file's line endings. */
  text: string
  /** A byte order mark before it. */
  mark: string
}

/** The answer in a file's text, without hermes' summary above it. */
export function answerOf(content: string): AnswerFile {
  const mark = content.startsWith(MARK) ? MARK : ''
  return { mark, text: content.slice(mark.length).replace(SUMMARY, '') }
}

/** The file's content with a new summary above the answer, replacing an existing one. */
export function withSummary({ mark, text }: AnswerFile, title: string, lines: readonly string[]): string {
  const inside = lines.map((line) => `  ${inert(line)}`.trimEnd())
  const summary = `<!-- hermes watch: ${inert(title)}\n${inside.join('\n')}\n-->\n\n`
  // Keep a single kind of line endings.
  return `${mark}${hasOnlyCrlf(text) ? summary.replaceAll('\n', '\r\n') : summary}${text}`
}

/** The line, changed so that it cannot end the comment. */
function inert(line: string): string {
  return line.replace(/[\r\n]/g, ' ').replace(/--(?=[!-]?>|-)/g, '- -').replaceAll('-->', '-- >')
}

/**
 * Identifies an answer by its content: line endings, and what an editor adds at the end, do not make it a new answer.
 */
export function answerHash(text: string): string {
  return createHash('sha256').update(lineFeeds(text).trimEnd()).digest('hex')
}

export type ReadSettings = Pick<HermesOptions, 'editFormats' | 'startsInThink'>

export interface Look {
  /** Whether there is a live block, or something close to one. */
  hasBlocks: boolean
  /** Whether the text ends inside a block: it may still be being written. */
  isCutOff: boolean
  skipped: number
}

const CUT_OFF = new Set(['UNCLOSED_HEREDOC', 'UNCLOSED_BLOCK', 'UNCLOSED_FENCE', 'UNCLOSED_THINK', 'UNCLOSED_COMMENT'])

/** Examines a text without running it. */
export function lookAt(text: string, { editFormats, startsInThink }: ReadSettings): Look {
  const response = readResponse(text)
  const { blocks, errors, skipped } = parseAnswer(response ?? text, { editFormats, startsInThink })
  return {
    hasBlocks: blocks.length + errors.length > 0,
    isCutOff: response?.isCutOff === true || errors.some(({ error }) => CUT_OFF.has(error.code)),
    skipped: skipped.length,
  }
}
