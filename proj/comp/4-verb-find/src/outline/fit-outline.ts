import { escapeControls, printableJson } from '../../../0-text/src/index.js'
import { tokensAtMost } from '../../../1-reports/src/index.js'
import type { OutlineNode } from './outline-node.js'
import type { OutlinedFile } from './outlined-file.js'

/** Least number of tokens left for which to try a further line. */
const LEAST_LINE = 8
/** Number of lines in a row that may not fit before giving up. */
const MOST_MISSES = 50

/** Chooses lines of files in the order given, the most important ones first, until a number of tokens is reached. */
export class OutlineFit {
  readonly #chosen = new Map<OutlinedFile, Set<OutlineNode>>()
  #left: number
  #misses = 0

  /** @param tokens most tokens of all lines together */
  constructor(tokens: number) {
    this.#left = tokens
  }

  get isFull(): boolean {
    return this.#left < LEAST_LINE || this.#misses > MOST_MISSES
  }

  /** Chooses a line and the lines that enclose it, if there is room. */
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
    if (chosen) for (const line of lines) chosen.add(line)
    else this.#chosen.set(file, new Set(lines))
  }

  /** Number of definitions chosen in a file. */
  countIn(file: OutlinedFile): number {
    return countDefinitions(this.#chosen.get(file) ?? [])
  }

  /** The chosen lines. @param files in the order in which to show them */
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

/** Tokens of a line with its line break. */
export function costOf(line: string): number {
  return tokensAtMost(line) + 1
}

/** The line with a file's name; no other line begins with a non-blank character. */
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
