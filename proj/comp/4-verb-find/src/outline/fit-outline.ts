import { escapeControls, printableJson } from '../../../0-text/src/index.js'
import { tokensAtMost } from '../../../1-reports/src/index.js'
import type { OutlinedFile, OutlineNode } from './outlined-file.js'

/** Tokens from which on it is worth looking for a further line that fits. */
const LEAST_LINE = 8
/** Lines tried in a row that do not fit. */
const MOST_MISSES = 50

/** Chooses lines of files, the most telling ones first, until a number of tokens is reached. */
export class OutlineFit {
  readonly #chosen = new Map<OutlinedFile, Set<OutlineNode>>()
  #left: number
  #misses = 0

  /** @param tokens of all lines together, at most */
  constructor(tokens: number) {
    this.#left = tokens
  }

  get isFull(): boolean {
    return this.#left < LEAST_LINE || this.#misses > MOST_MISSES
  }

  /** Chooses a line and those it is in, where there is room. */
  add(file: OutlinedFile, node: OutlineNode): void {
    const chosen = this.#chosen.get(file)
    if (chosen?.has(node)) return
    const lines: OutlineNode[] = []
    for (let at: OutlineNode | undefined = node; at && !chosen?.has(at); at = at.parent) lines.push(at)
    const cost = lines.reduce((sum, { line }) => sum + costOf(line), chosen ? 0 : costOf(headerAtMost(file)))
    if (cost > this.#left) {
      this.#misses++
      return
    }
    this.#misses = 0
    this.#left -= cost
    if (chosen) for (const each of lines) chosen.add(each)
    else this.#chosen.set(file, new Set(lines))
  }

  /** Definitions chosen in a file. */
  countIn(file: OutlinedFile): number {
    return countDefinitions(this.#chosen.get(file) ?? [])
  }

  /** @param files in the order in which they are to be shown */
  lines(files: readonly OutlinedFile[]): string[] {
    return files.flatMap((file) => {
      const chosen = this.#chosen.get(file)
      if (!chosen) return []
      const nodes = [...chosen].sort((a, b) => a.index - b.index)
      const count = countDefinitions(nodes)
      return [header(file, count, countDefinitions(file.nodes)), ...nodes.map(({ line }) => line)]
    })
  }
}

export function countDefinitions(nodes: Iterable<OutlineNode>): number {
  let count = 0
  for (const { definitions } of nodes) count += definitions.length
  return count
}

/** With its line break. */
export function costOf(line: string): number {
  return tokensAtMost(line) + 1
}

/** No other line begins with anything but blanks. */
function header({ shown, errorLine }: OutlinedFile, count: number, total: number): string {
  const path = /^\S/.test(shown) ? escapeControls(shown) : printableJson(shown, 0)
  const part = count < total ? ` ${count} of ${total}` : ''
  const broken = errorLine === undefined ? '' : ` (syntax error at line ${errorLine}: may be incomplete)`
  return `${path}:${part}${broken}`
}

function headerAtMost(file: OutlinedFile): string {
  const total = countDefinitions(file.nodes)
  return header(file, Math.max(0, total - 1), total)
}
