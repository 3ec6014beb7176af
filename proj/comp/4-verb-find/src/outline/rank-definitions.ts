import { valueAt } from '../../../0-text/src/index.js'
import type { DefinitionKind, Import, LanguageId } from '../../../2-syntax/src/index.js'
import { type Definers, ImportLinks } from './import-links.js'

/** A file as the ranking sees it. */
export interface RankedFile<Name extends RankedName = RankedName> {
  shown: string
  language: LanguageId
  /** Definitions that other files can use. */
  definitions: readonly Name[]
  imports: readonly Import[]
}

export interface RankedName {
  name: string
  kind: DefinitionKind
  /** Number of enclosing definitions. */
  level: number
}

/** A file that uses a name. */
export interface NameUse {
  /** Index of the file. */
  file: number
  count: number
  /** Whether the file defines such a name itself, even locally: then it does not refer to other files. */
  isOwn: boolean
}

export interface Rank {
  /** Rank of each file, by index; they add up to 1. */
  files: number[]
  /** Rank of each definition, by file; higher is more important. */
  definitions: number[][]
}

const DAMPING = 0.85
const ROUNDS = 20

/** Paths of tests and examples, which use nearly everything and are used by nothing. */
const TESTS = new RegExp([
  String.raw`(?:^|\/)(?:tests?|__tests__|spec|testing|fixtures|examples?|benchmarks?|docs?)\/`,
  String.raw`(?:^|\/)test_\w+\.py$`, String.raw`[._-](?:test|spec)\.\w+$`,
].join('|'), 'i')
const SHARE_OF_TESTS = 0.2
/** Weight of a file's rank relative to the use of a definition itself. */
const SHARE_OF_FILE = 0.1

/**
 * Ranks the definitions of a source tree by how other files use them, like aider's repository map: a file passes its
 * rank on to the files that define the names it uses (PageRank). Long, distinctive names pass on more than short,
 * private or frequent ones; a name that several files define is shared among them. Use from many folders counts more
 * than much use from one.
 *
 * @param usesOf the files that use a name
 */
export function rankDefinitions(files: readonly RankedFile[], usesOf: (name: string) => readonly NameUse[]): Rank {
  const weights = files.map(({ shown }) => (TESTS.test(shown) ? SHARE_OF_TESTS : 1))
  const imports = new ImportLinks(files)
  const links = linksOf(files, imports, usesOf)
  const start = normalized(weights)
  let ranks = start
  for (let round = 0; round < ROUNDS; round++) ranks = pass(ranks, start, links)
  const flows = flowsByName(ranks, links, imports)
  return {
    files: ranks,
    definitions: files.map((file, index) => file.definitions.map((definition) => {
      const flow = flows[index]?.get(definition.name)
      // Where nothing is used from outside, a definition's own weight decides.
      return (weights[index] ?? 1) * weightOf(definition) * (spread(flow) + SHARE_OF_FILE * (ranks[index] ?? 0))
    })),
  }
}

/** Weight of a definition by its kind and name alone, from 0 to 1. */
export function weightOf({ name, kind, level }: RankedName): number {
  const byKind = kind === 'variable' ? (level === 0 ? 0.4 : 0.15) : kind === 'method' ? 0.6 : 1
  return byKind * (isPrivate(name) ? 0.3 : 1) / (1 + 0.25 * Math.max(0, level - 1))
}

function isPrivate(name: string): boolean {
  return name.startsWith('_') || name.startsWith('#')
}

/** A name of a file that other files define: which, and the share of the file's rank that it carries. */
interface Link {
  name: string
  to: readonly number[]
  share: number
}

function definersOf(files: readonly RankedFile[]): Map<string, Definers> {
  const places = new Map<string, { all: number[]; members: number[] }>()
  files.forEach(({ definitions }, index) => {
    for (const { name, level } of definitions) {
      const known = valueAt(places, name, () => ({ all: [], members: [] }))
      if (known.all.at(-1) !== index) known.all.push(index)
      if (level > 0 && known.members.at(-1) !== index) known.members.push(index)
    }
  })
  return places
}

function linksOf(
  files: readonly RankedFile[], imports: ImportLinks, usesOf: (name: string) => readonly NameUse[],
): Link[][] {
  const links: Link[][] = files.map(() => [])
  const totals = files.map(() => 0)
  for (const [name, definers] of definersOf(files)) {
    if (definers.all.length > MOST_DEFINERS) continue
    const uses = usesOf(name).filter(({ isOwn }) => !isOwn)
      .map(({ file, count }) => ({ file, count, ...imports.targets(file, name, definers) }))
    // If few users of the name can refer to these files, it mostly belongs to the language itself: `print`.
    const certainty = uses.reduce((sum, { trust }) => sum + trust, 0) / uses.length
    for (const { file, count, files: to, trust } of uses) {
      if (to.length === 0) continue
      const share = trust * certainty ** 2 * Math.sqrt(count) * nameWeight(name, definers.all.length)
      totals[file] = (totals[file] ?? 0) + share
      links[file]?.push({ name, to, share })
    }
  }
  links.forEach((ofFile, file) => ofFile.forEach((link) => (link.share /= totals[file] ?? 1)))
  return links
}

/** A name defined in more files than this is ignored. */
const MOST_DEFINERS = 200
const LONG_NAME = 8
const FREQUENT = 5

/** Names of several words weigh more. */
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

/** For each name that a file defines: how much rank comes from each folder. */
type Flows = Map<string, Map<string, number>>

function flowsByName(
  ranks: readonly number[], links: readonly (readonly Link[])[], imports: ImportLinks,
): readonly Flows[] {
  const flows = links.map((): Flows => new Map())
  links.forEach((ofFile, index) => {
    const folder = imports.folderOf(index)
    for (const { name, to, share } of ofFile) {
      const amount = (ranks[index] ?? 0) * share / to.length
      for (const target of to) {
        const byFolder = valueAt(flows[target]!, name, () => new Map())
        byFolder.set(folder, (byFolder.get(folder) ?? 0) + amount)
      }
    }
  })
  return flows
}

/** Sums up so that the same amount counts once from one folder, but fourfold when spread over four. */
function spread(flow: ReadonlyMap<string, number> = new Map()): number {
  let sum = 0
  for (const amount of flow.values()) sum += Math.sqrt(amount)
  return sum * sum
}

function normalized(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}
