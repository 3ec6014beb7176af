import { addTo, lowerBound } from '../../../0-text/src/index.js'

/** The code spans of one line, found where they are first asked for (CommonMark 0.31.2, section 6.1). */
export class CodeSpans {
  #spans: readonly [number, number][] | undefined

  constructor(private readonly line: string) {}

  /** Whether an index of the line lies in one of them. */
  has(at: number): boolean {
    const spans = this.#spans ??= codeSpans(this.line)
    const next = spans[lowerBound(0, spans.length, (index) => spans[index]![1] < at)]
    return next !== undefined && next[0] < at
  }
}

/** Start and end of each span, in order. */
function codeSpans(line: string): [number, number][] {
  if (!line.includes('`')) return []
  const runs = [...line.matchAll(/`+/g)]
  /** For each length, the indices of its runs, last first. */
  const byLength = new Map<number, number[]>()
  for (let index = runs.length - 1; index >= 0; index--) addTo(byLength, runs[index]![0].length, index)
  const spans: [number, number][] = []
  for (let open = 0; open < runs.length; open++) {
    const sameLength = byLength.get(runs[open]![0].length)!
    while (sameLength.length > 0 && sameLength.at(-1)! <= open) sameLength.pop()
    const close = sameLength.at(-1)
    if (close === undefined) continue
    spans.push([runs[open]!.index, runs[close]!.index])
    open = close
  }
  return spans
}
