import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { lineExcerpt } from './cut-line.js'
import { linesAt } from './lines-at.js'

/**
 * The lines around the matches of one file, each only once: lines between two matches follow the first as far as its
 * context reaches, then precede the second.
 *
 * @param matches in order of their lines
 */
export async function linesAround(
  file: ApprovedPath, matches: readonly { line: number; endLine?: number }[],
  { before, after }: { before: number; after: number },
  context: Pick<VerbContext, 'files' | 'signal'>,
): Promise<{ before: string[]; after: string[] }[]> {
  const ranges = matches.map(({ line, endLine = line }, index) => {
    const previous = matches[index - 1]
    const shownTo = previous === undefined ? 0 : (previous.endLine ?? previous.line) + after
    const next = matches[index + 1]?.line ?? Infinity
    return {
      before: numbers(Math.max(1, line - before, shownTo + 1), line - 1),
      after: numbers(endLine + 1, Math.min(endLine + after, next - 1)),
    }
  })
  const wanted = ranges.flatMap((range) => [...range.before, ...range.after])
  const lines = await linesAt(file, new Map(wanted.map((number) => [number, 0])), context)
  const texts = (list: readonly number[]): string[] => list.flatMap((number) => {
    const place = lines.get(number)
    return place ? [lineExcerpt(place.text, 0)] : []
  })
  return ranges.map((range) => ({ before: texts(range.before), after: texts(range.after) }))
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}
