import { relative } from 'node:path'
import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { readText } from '../../../2-files/src/index.js'
import { parseSignatures, ParseTime } from '../../../2-syntax/src/index.js'
import { orSkip, type SkippedFile } from '../symbols/source-files.js'
import { OutlineFit } from './fit-outline.js'
import { leftOutLine, reserveOf, type MoreCalls } from './left-out.js'
import { outlinedFile, type OutlinedFile, type OutlineNode } from './outlined-file.js'
import { type Rank, rankDefinitions } from './rank-definitions.js'
import { type PlacedName, type Reading, type SourceFacts, sourceFacts } from './source-facts.js'

const MOST_SKIPPED = 50

export interface DirectoryRequest {
  start: ApprovedPath
  /** Of a path below the directory. */
  includes: (relative: string) => boolean
  depth: number
  tokens: number
  more: MoreCalls
}

/** The definitions below a directory that its files use most, by file, those first on which most depends. */
export async function outlineDirectory(request: DirectoryRequest, context: VerbContext) {
  const { start, includes, depth, tokens, more } = request
  const skipped: SkippedFile[] = []
  const onSkip = (file: SkippedFile): void => {
    if (skipped.length < MOST_SKIPPED) skipped.push(file)
  }
  const reading: Reading = { verb: more.verb, context, onSkip, time: new ParseTime() }
  const shown = String(more.args['path'])
  const found = await sourceFacts({ path: start, shown }, (path) => includes(relative(start, path)), reading)
  const facts = found.map((file) => ({ ...file, definitions: file.definitions.filter(({ level }) => level < depth) }))
    .filter(({ definitions }) => definitions.length > 0)
  const ranks = rankDefinitions(facts)
  const { outline, files } = await choose(byScore(facts, ranks), tokens - reserveOf(more), depth, reading)
  const rankOf = new Map(facts.map(({ shown: path }, index) => [path, ranks.files[index] ?? 0]))
  const begun = files.filter((file) => outline.countIn(file) > 0)
    .sort((a, b) => (rankOf.get(b.shown) ?? 0) - (rankOf.get(a.shown) ?? 0))
  const count = begun.reduce((sum, file) => sum + outline.countIn(file), 0)
  const total = facts.reduce((sum, { definitions }) => sum + definitions.length, 0)
  const names = new Set(begun.map((file) => file.shown))
  const missing = facts.filter((file) => !names.has(file.shown)).map((file) => file.shown)
  const left = count === total ? [] : [leftOutLine({
    symbols: total - count, ofSymbols: total, files: { of: facts.length, below: shown, paths: missing },
  }, more)]
  return {
    text: [...outline.lines(begun), ...left].join('\n'),
    shown_symbols: count,
    total_symbols: total,
    shown_files: begun.length,
    total_files: facts.length,
    ...(skipped.length > 0 && { skipped }),
  }
}

interface Candidate {
  file: SourceFacts
  definition: PlacedName
  score: number
}

function byScore(facts: readonly SourceFacts[], { definitions: scores }: Rank): Candidate[] {
  return facts.flatMap((file, index) => file.definitions.map((definition, at) => (
    { file, definition, score: scores[index]?.[at] ?? 0 }
  ))).sort((a, b) => b.score - a.score)
}

/** Files are parsed for their signatures as they come up: only those that are shown, and a few. */
async function choose(candidates: readonly Candidate[], tokens: number, depth: number, reading: Reading) {
  const outline = new OutlineFit(tokens)
  const read = new Map<SourceFacts, ReadFile | undefined>()
  for (const { file, definition } of candidates) {
    if (outline.isFull) break
    if (!read.has(file)) read.set(file, await readOutline(file, depth, reading))
    const found = read.get(file)
    const node = found?.byPlace.get(`${definition.line}:${definition.column}`)
    if (found && node) outline.add(found.file, node)
  }
  return { outline, files: [...read.values()].flatMap((one) => (one ? [one.file] : [])) }
}

interface ReadFile {
  file: OutlinedFile
  byPlace: ReadonlyMap<string, OutlineNode>
}

async function readOutline(
  { path, shown, language }: SourceFacts, depth: number, { verb, context, onSkip, time }: Reading,
): Promise<ReadFile | undefined> {
  return orSkip(verb, shown, onSkip, async () => {
    const source = readText(context.files, path, context.limits.maxFileBytes, shown)
    const file = outlinedFile(shown, language, await parseSignatures(language, source, time), depth)
    const byPlace = new Map(file.nodes.flatMap((node) => (
      node.definitions.map(({ nameLine, nameColumn }) => [`${nameLine}:${nameColumn}`, node] as const)
    )))
    return { file, byPlace }
  })
}
