import type { DefinitionKind, Import, LanguageId } from '../../../2-syntax/src/index.js'
import { type Definers, ImportLinks } from './import-links.js'

/** What the ranking knows of a file. */
export interface RankedFile<Name extends RankedName = RankedName> {
  shown: string
  language: LanguageId
  /** What other files can use. */
  definitions: readonly Name[]
  imports: readonly Import[]
}

export interface RankedName {
  name: string
  kind: DefinitionKind
  /** Definitions around it. */
  level: number
}

/** A file in which a name stands. */
export interface NameUse {
  /** By its position. */
  file: number
  count: number
  /** It defines such a name itself, if only for a local: other files are not meant. */
  isOwn: boolean
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
 * private and frequent ones, and of a name that several files define each gets a share. What is used from many folders
 * counts more than what one uses much.
 *
 * @param usesOf the files in which a name stands
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
      // Where nothing is used from outside, what is telling by itself comes first.
      return (weights[index] ?? 1) * weightOf(definition) * (spread(flow) + SHARE_OF_FILE * (ranks[index] ?? 0))
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

function definersOf(files: readonly RankedFile[]): Map<string, Definers> {
  const found = new Map<string, { all: number[]; members: number[] }>()
  files.forEach(({ definitions }, index) => {
    for (const { name, level } of definitions) {
      const known = found.get(name) ?? { all: [], members: [] }
      found.set(name, known)
      if (known.all.at(-1) !== index) known.all.push(index)
      if (level > 0 && known.members.at(-1) !== index) known.members.push(index)
    }
  })
  return found
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
    // Where few of those who use a name can mean these files, it is mostly one of the language itself: `print`.
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

/** Of each name that a file defines: how much rank comes from the files of each folder. */
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
        const byFolder = flows[target]?.get(name) ?? new Map<string, number>()
        byFolder.set(folder, (byFolder.get(folder) ?? 0) + amount)
        flows[target]?.set(name, byFolder)
      }
    }
  })
  return flows
}

/** What comes from one folder counts once, the same from four folders fourfold. */
function spread(flow: ReadonlyMap<string, number> = new Map()): number {
  let sum = 0
  for (const amount of flow.values()) sum += Math.sqrt(amount)
  return sum * sum
}

function normalized(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}
