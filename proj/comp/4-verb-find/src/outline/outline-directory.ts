import { relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { checkSignal, readText } from '../../../2-files/src/index.js'
import { parseSignatures, ParseTime } from '../../../2-syntax/src/index.js'
import { indexOf, type IndexedFile, type SkippedFile } from '../../../3-code-index/src/index.js'
import { orSkip } from '../symbols/or-skip.js'
import { OutlineFit } from './fit-outline.js'
import { leftOutLine, reserveOf, type MoreCalls } from './left-out.js'
import { levelOf } from './outline-node.js'
import { outlinedFile } from './outlined-file.js'
import { rankDefinitions, type Rank, type RankedFile, type RankedName } from './rank-definitions.js'

const MOST_SKIPPED = 50

export interface DirectoryRequest {
  start: ApprovedPath
  /** Whether to include a path, relative to the directory. */
  includes: (relative: string) => boolean
  depth: number
  tokens: number
  more: MoreCalls
}

/** Outlines a directory: the definitions that its files use most, grouped by file, the most used files first. */
export async function outlineDirectory(request: DirectoryRequest, context: VerbContext) {
  const { start, includes, depth, tokens, more } = request
  const shown = String(more.args['path'])
  const scope = { start, kind: 'directory' as const, shown, verb: more.verb }
  const view = await indexOf(context).refresh(scope, context)
  checkSignal(context.signal)
  // What the ranking needs of each file, in the same order.
  const all = view.files.map((file): SourceFacts => ({
    file, shown: file.shown, language: file.language, imports: view.importsIn(file),
    definitions: view.definitionsIn(file).filter(({ shared, name }) => shared && name.trim() !== '').map((each) => ({
      name: each.name, kind: each.kind, level: levelOf(each), line: each.nameLine, column: each.nameColumn,
    })),
  }))
  const ranks = rankDefinitions(all, (name) => view.filesNaming(name).map(({ file, definitions, occurrences }) => (
    { file: file.index, count: occurrences, isOwn: definitions > 0 }
  )))
  const candidates = inOrder(all, ranks, ({ file }, { level }) => level < depth && includes(relative(start, file.path)))
  const reading: Reading = { verb: more.verb, context, time: new ParseTime(), skipped: [...view.skipped] }
  const { outline, files } = await choose(candidates, tokens - reserveOf(more), depth, reading)
  const rankOf = new Map(all.map(({ shown: path }, index) => [path, ranks.files[index] ?? 0]))
  const begun = files.filter((file) => outline.countIn(file) > 0)
    .sort((a, b) => (rankOf.get(b.shown) ?? 0) - (rankOf.get(a.shown) ?? 0))
  const count = begun.reduce((sum, file) => sum + outline.countIn(file), 0)
  const names = new Set(begun.map((file) => file.shown))
  const paths = [...new Set(candidates.map(({ file }) => file.shown))]
  const left = count === candidates.length ? [] : [leftOutLine({
    symbols: candidates.length - count, ofSymbols: candidates.length,
    files: { of: paths.length, below: shown, paths: paths.filter((path) => !names.has(path)) },
  }, more)]
  const { skipped } = reading
  return {
    text: [...outline.lines(begun), ...left].join('\n'),
    symbol_count: count,
    total_symbols: candidates.length,
    file_count: begun.length,
    total_files: paths.length,
    ...(view.unparsed.length > 0 && { unparsed: [...view.unparsed] }),
    ...(skipped.length > 0 && { skipped: skipped.slice(0, MOST_SKIPPED) }),
  }
}

/** What is needed to read source files. */
interface Reading {
  verb: string
  context: VerbContext
  /** Time for parsing all files. */
  time: ParseTime
  skipped: SkippedFile[]
}

interface Candidate {
  file: SourceFacts
  definition: PlacedName
  score: number
}

/** Factor by which each further definition of a file counts less: a map shows a little of many files. */
const FURTHER = 0.3

function inOrder(
  facts: readonly SourceFacts[], { definitions: scores }: Rank,
  includes: (file: SourceFacts, definition: PlacedName) => boolean,
): Candidate[] {
  const best = (a: Candidate, b: Candidate): number => b.score - a.score
  return facts.flatMap((file, index) => (
    file.definitions.map((definition, at) => ({ file, definition, score: scores[index]?.[at] ?? 0 }))
      .filter(({ definition }) => includes(file, definition)).sort(best)
      .map((candidate, at) => ({ ...candidate, score: candidate.score / (1 + FURTHER * at) }))
  )).sort(best)
}

/** Chooses definitions; parses only files that come up for it, to get their signatures. */
async function choose(candidates: readonly Candidate[], tokens: number, depth: number, reading: Reading) {
  const outline = new OutlineFit(tokens)
  const read = new Map<SourceFacts, Awaited<ReturnType<typeof readOutline>>>()
  for (const { file, definition } of candidates) {
    if (outline.isFull) break
    if (!read.has(file)) read.set(file, await readOutline(file, depth, reading))
    const known = read.get(file)
    const node = known?.byPlace.get(`${definition.line}:${definition.column}`)
    if (known && node) outline.add(known.file, node)
  }
  return { outline, files: [...read.values()].flatMap((file) => (file ? [file.file] : [])) }
}

async function readOutline(
  { file: { path, shown, language } }: SourceFacts, depth: number, { verb, context, time, skipped }: Reading,
) {
  // Yield, so that an abort can arrive: parsing is synchronous.
  await setImmediate()
  checkSignal(context.signal)
  return orSkip(verb, shown, (file) => skipped.push(file), async () => {
    const source = readText(context.files, path, context.limits.maxFileBytes, shown)
    const file = outlinedFile(shown, await parseSignatures(language, source, time), depth)
    const byPlace = new Map(file.nodes.flatMap((node) => (
      node.definitions.map(({ nameLine, nameColumn }) => [`${nameLine}:${nameColumn}`, node] as const)
    )))
    return { file, byPlace }
  })
}

/** A definition by its place. */
interface PlacedName extends RankedName {
  line: number
  column: number
}

interface SourceFacts extends RankedFile<PlacedName> {
  file: IndexedFile
}
