import { posix } from 'node:path'
import type { DefinitionKind } from '../../../2-syntax/src/index.js'

/** What the ranking knows of a file. */
export interface RankedFile<Name extends RankedName = RankedName> {
  shown: string
  /** What other files can use. */
  definitions: readonly Name[]
  /** How often each name stands in it, but for those that mean something of its own. */
  uses: ReadonlyMap<string, number>
  /** Words of its imports: the names of modules and files, and what is taken from them. */
  imports: ReadonlySet<string>
}

export interface RankedName {
  name: string
  kind: DefinitionKind
  /** Definitions around it. */
  level: number
}

export interface Rank {
  /** Of each file, by position; together 1. */
  files: number[]
  /** Of each definition of each file: higher is more telling. */
  definitions: number[][]
}

const DAMPING = 0.85
const ROUNDS = 20

/** Use nearly everything, and are used by nothing. */
const TESTS = new RegExp([
  String.raw`(?:^|\/)(?:tests?|__tests__|spec|testing|fixtures|examples?|benchmarks?|docs?)\/`,
  String.raw`(?:^|\/)test_\w+\.py$`, String.raw`[._-](?:test|spec)\.\w+$`,
].join('|'), 'i')
const SHARE_OF_TESTS = 0.2
/** How much the rank of its file counts beside the use of a definition itself. */
const SHARE_OF_FILE = 0.1

/**
 * Ranks the definitions of a source tree by how other files use them, as the repository map of aider does: a file
 * passes its rank on to the files that define the names it uses (PageRank), long and telling names more than short,
 * private and frequent ones, and of a name that several files define each gets a share.
 */
export function rankDefinitions(files: readonly RankedFile[]): Rank {
  const definers = definersOf(files)
  const paths = files.map(({ shown }) => ({ folder: posix.dirname(shown), modules: moduleNames(shown) }))
  const weights = files.map(({ shown }) => (TESTS.test(shown) ? SHARE_OF_TESTS : 1))
  const links = files.map((file, index) => linksOf(file, paths, index, definers))
  const start = normalized(weights)
  let ranks = start
  for (let round = 0; round < ROUNDS; round++) ranks = pass(ranks, start, links)
  const flows = flowsByName(ranks, links, files.length)
  return {
    files: ranks,
    definitions: files.map((file, index) => file.definitions.map((definition) => {
      const share = flows[index]?.get(definition.name) ?? 0
      return (weights[index] ?? 1) * weightOf(definition) * (share + SHARE_OF_FILE * (ranks[index] ?? 0))
    })),
  }
}

/** How telling a definition is by itself, from 0 to 1. */
export function weightOf({ name, kind, level }: RankedName): number {
  const byKind = kind === 'variable' ? (level === 0 ? 0.4 : 0.15) : kind === 'method' ? 0.6 : 1
  return byKind * (isPrivate(name) ? 0.3 : 1) / (1 + 0.25 * Math.max(0, level - 1))
}

function isPrivate(name: string): boolean {
  return name.startsWith('_') || name.startsWith('#')
}

/** A file's name that others define: where to, and which part of its rank. */
interface Link {
  name: string
  to: readonly number[]
  share: number
}

function definersOf(files: readonly RankedFile[]): Map<string, number[]> {
  const definers = new Map<string, number[]>()
  files.forEach(({ definitions }, index) => {
    for (const { name } of definitions) {
      const known = definers.get(name)
      if (known === undefined) definers.set(name, [index])
      else if (known.at(-1) !== index) known.push(index)
    }
  })
  return definers
}

interface Place {
  folder: string
  /** By which of these words an import can mean the file. */
  modules: readonly string[]
}

/** `src/server/index.ts` is imported as `server`; a package by its folder. */
function moduleNames(shown: string): string[] {
  const { name, dir } = posix.parse(shown)
  return [name.replace(/\.d$/, ''), posix.basename(dir)]
}

function linksOf(
  { definitions, uses, imports }: RankedFile, places: readonly Place[], index: number,
  definers: ReadonlyMap<string, number[]>,
): Link[] {
  const own = new Set(definitions.map(({ name }) => name))
  const folder = places[index]?.folder
  const links: Link[] = []
  let total = 0
  for (const [name, count] of uses) {
    const all = own.has(name) ? undefined : definers.get(name)
    if (all === undefined || all.length > MOST_DEFINERS) continue
    const imported = all.filter((each) => places[each]?.modules.some((word) => imports.has(word)))
    const near = imported.length > 0 ? imported : all.filter((each) => places[each]?.folder === folder)
    const to = near.length > 0 ? near : all
    const trust = imported.length > 0 ? 1 : near.length > 0 ? 0.3 : 0.05
    const share = trust * Math.sqrt(count) * nameWeight(name, all.length)
    total += share
    links.push({ name, to, share })
  }
  for (const link of links) link.share /= total
  return links
}

/** A name that more files define says nothing. */
const MOST_DEFINERS = 200
const LONG_NAME = 8
const FREQUENT = 5

/** Of names of several words more depends on which file defines them. */
function nameWeight(name: string, definers: number): number {
  const isTelling = name.length >= LONG_NAME && /[a-z][A-Z]|[a-zA-Z]_[a-zA-Z]/.test(name)
  return (isTelling ? 10 : 1) * (isPrivate(name) ? 0.1 : 1) * (definers > FREQUENT ? 0.1 : 1)
}

function pass(ranks: readonly number[], start: readonly number[], links: readonly (readonly Link[])[]): number[] {
  const next = start.map((share) => share * (1 - DAMPING))
  let dangling = 0
  links.forEach((ofFile, index) => {
    const rank = DAMPING * (ranks[index] ?? 0)
    if (ofFile.length === 0) dangling += rank
    for (const { to, share } of ofFile) {
      for (const target of to) next[target] = (next[target] ?? 0) + rank * share / to.length
    }
  })
  return next.map((rank, index) => rank + dangling * (start[index] ?? 0))
}

/** How much rank reaches each name in each file that defines it; such a file has no link for it itself. */
function flowsByName(
  ranks: readonly number[], links: readonly (readonly Link[])[], count: number,
): ReadonlyMap<string, number>[] {
  const flows = Array.from({ length: count }, () => new Map<string, number>())
  links.forEach((ofFile, index) => {
    for (const { name, to, share } of ofFile) {
      const amount = (ranks[index] ?? 0) * share / to.length
      for (const target of to) flows[target]?.set(name, (flows[target].get(name) ?? 0) + amount)
    }
  })
  return flows
}

function normalized(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}
