import { trimLineEnd } from './line-parts.js'
import { mostSimilarWindow } from './similar-window.js'
import { atOnce, type Steps } from './steps.js'

export interface NearestLines {
  /** 1-based lines, inclusive. */
  startLine: number
  endLine: number
  /** At most three lines, shortened: context, the searched line (`-`), the file's line (`+`). */
  difference: string[]
}

const SHOWN = 160

/** The lines most similar to the searched ones, with the first difference; `undefined` where nothing is similar. */
export function nearestLines(text: string, searched: string): NearestLines | undefined {
  return atOnce(nearestLinesSteps(text, searched))
}

/** As `nearestLines`, in steps that can be interrupted. */
export function* nearestLinesSteps(text: string, searched: string): Steps<NearestLines | undefined> {
  const lines = split(text.startsWith('\ufeff') ? text.slice(1) : text)
  const wanted = split(searched.trim() === '' ? '' : searched)
  if (wanted.length === 0) return undefined
  yield
  const start = yield* mostSimilarWindow(lines, wanted)
  if (start === undefined) return undefined
  const index = Math.max(0, wanted.findIndex((line, at) => line !== lines[start + at]))
  const here = lines[start + index]
  return {
    startLine: start + 1,
    endLine: Math.min(lines.length, start + wanted.length),
    difference: [
      ...(index > 0 ? [`  ${cut(lines[start + index - 1] ?? '')}`] : []),
      `- ${cut(wanted[index] ?? '')}`,
      ...(here === undefined ? [] : [`+ ${cut(here)}`]),
    ],
  }
}

function split(text: string): string[] {
  const lines = text.split('\n').map(trimLineEnd)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function cut(line: string): string {
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}\u2026` : line
}
