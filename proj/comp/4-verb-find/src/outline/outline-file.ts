import { countDefinitions, OutlineFit } from './fit-outline.js'
import { leftOutLine, reserveOf, type MoreCalls } from './left-out.js'
import { levelOf, type OutlineNode } from './outline-node.js'
import type { OutlinedFile } from './outlined-file.js'
import { weightOf } from './rank-definitions.js'

/** All definitions of a file where they fit, else those that are most telling by themselves. */
export function outlineFile(file: OutlinedFile, tokens: number, more: MoreCalls) {
  const total = countDefinitions(file.nodes)
  const all = fit(file, file.nodes, tokens)
  if (all.countIn(file) === total) return resultOf(all.lines([file]), total, total)
  const some = fit(file, [...file.nodes].sort((a, b) => weigh(b) - weigh(a)), tokens - reserveOf(more))
  const shown = some.countIn(file)
  const left = leftOutLine({ symbols: total - shown, ofSymbols: total }, more)
  return resultOf([...some.lines([file]), left], shown, total)
}

function fit(file: OutlinedFile, nodes: readonly OutlineNode[], tokens: number): OutlineFit {
  const outline = new OutlineFit(tokens)
  for (const node of nodes) {
    if (outline.isFull) break
    outline.add(file, node)
  }
  return outline
}

function weigh({ definitions: [definition] }: OutlineNode): number {
  return definition ? weightOf({ name: definition.name, kind: definition.kind, level: levelOf(definition) }) : 0
}

function resultOf(lines: readonly string[], shown: number, total: number) {
  return { text: lines.join('\n'), symbol_count: shown, total_symbols: total }
}
