import { answerProse, type ProseNode } from '../../2-page/src/index.js'
import type { Answer } from './answer.js'

/** What an answer says between its blocks. */
export interface Prose {
  /** 1-based lines of the answer. */
  startLine: number
  endLine: number
  text: string
  /** The same as it reads; none where it is shown as it was written. */
  nodes: readonly ProseNode[]
}

/** Of one passage so much is shown, in UTF-16 units. */
const LONGEST = 64 * 1024

/** The first characters of a line that opens or closes a fence. */
const FENCE_MARK = /^\s*(?:`{3}|~{3})/

/** The text before, between and after the blocks of an answer, but for passages with no word beside fence marks. */
export function proseOf({ lines, blocks }: Answer): Prose[] {
  const prose: Prose[] = []
  const parts = answerProse(lines.map((line) => line.replace(/\r?\n$/, '')), blocks)
  let from = 1
  for (const { startLine, endLine } of [...blocks, { startLine: lines.length + 1, endLine: lines.length }]) {
    const text = lines.slice(from - 1, startLine - 1).join('')
    if (text.split('\n').some((line) => !FENCE_MARK.test(line) && /[\p{L}\p{N}]/u.test(line))) {
      const [first, last] = [from, startLine - 1]
      const here = parts.filter((part) => part.startLine >= first && part.endLine <= last)
      prose.push({
        startLine: first, endLine: last, text: shortened(text.trim()), nodes: here.flatMap(({ nodes }) => nodes),
      })
    }
    from = Math.max(from, endLine + 1)
  }
  return prose
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}\n… (it goes on)`
}
