import type { Rewrite } from '../../0-contracts/src/index.js'
import { rewriteLine } from '../../1-reports/src/index.js'
import type { DiffHunk, PageRewrite } from './run-page-model.js'

const HEADING = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/

/** What an extension made of the answer, with the lines that it changed. */
export function pageRewrite(rewrite: Rewrite): PageRewrite {
  const { diff } = rewrite
  const hunks = hunksOf(diff)
  const count = (sign: string): number => hunks.flatMap(({ lines }) => lines).filter(row => row.startsWith(sign)).length
  const note = diff === '' ? 'Too different for a diff.'
    : diff.endsWith('…') ? 'Too long to be shown as a whole.' : undefined
  return {
    title: rewriteLine(rewrite),
    change: {
      kind: 'modify', path: 'the answer', added: count('+'), removed: count('-'), hunks,
      ...(note !== undefined && { note }),
    },
  }
}

/** The hunks of a unified difference without names of files. */
function hunksOf(diff: string): DiffHunk[] {
  const lines = diff.replace(/\n$/, '').split('\n')
  // In an answer of CRLF lines only, each line would end in an escape.
  const isCrlf = lines.every(line => line.endsWith('\r') || /^(?:@@|\\)/.test(line))
  const hunks: { oldStart: number; newStart: number; lines: string[] }[] = []
  for (const line of lines) {
    const [heading, oldStart, newStart] = HEADING.exec(line) ?? []
    const shown = hunks.at(-1)?.lines
    if (heading !== undefined) hunks.push({ oldStart: Number(oldStart), newStart: Number(newStart), lines: [] })
    // That the last line has no line break is said where that changed.
    else if (!line.startsWith('\\') || shown?.at(-1)?.startsWith(' ') !== true) {
      shown?.push(isCrlf ? line.replace(/\r$/, '') : line)
    }
  }
  return hunks
}
