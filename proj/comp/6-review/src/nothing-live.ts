import { EDIT_FORMAT_SPECS } from '../../0-contracts/src/index.js'
import { CodeFences, unreadFormats } from '../../1-reading/src/index.js'
import type { Answer } from './answer.js'

/** Of an answer in which no block can run: what was found in its place, and what to do. */
export interface NothingLive {
  /** Code fences that are text: the line that opens each. */
  fences: readonly { line: number; text: string }[]
  moreFences: number
  /** With which the answer can be read: `--edit-format search-replace`. */
  flags: readonly string[]
  /** What to tell the model. */
  reply: string
}

const [MOST_FENCES, LONGEST_LINE] = [20, 120]

/** @param reply of a dry run of the answer @returns `undefined` where a block can run */
export function nothingLive({ lines, blocks, skipped }: Answer, reply: () => string): NothingLive | undefined {
  if (blocks.some(({ block }) => block !== undefined)) return undefined
  const fences = fencesOf(lines)
  const unread = unreadFormats({ errors: blocks.flatMap(({ errors }) => errors), skipped })
  return {
    fences: fences.slice(0, MOST_FENCES), moreFences: Math.max(0, fences.length - MOST_FENCES),
    flags: unread.map((format) => (
      `${Object.hasOwn(EDIT_FORMAT_SPECS, format) ? '--edit-format' : '--dialect'} ${format}`)),
    reply: reply(),
  }
}

function fencesOf(lines: readonly string[]): NothingLive['fences'] {
  const fences = new CodeFences()
  return lines.flatMap((line, at) => {
    const { count } = fences
    fences.push(line.endsWith('\n') ? line : `${line}\n`)
    return fences.count > count ? [{ line: at + 1, text: line.trim().slice(0, LONGEST_LINE) }] : []
  })
}
