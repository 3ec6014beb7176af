import { statSync } from 'node:fs'
import {
  HermesError, isRecord, orNothing, type HermesEvent, type HermesOptions,
} from '../../../0-contracts/src/index.js'
import { createMasker, valueAt } from '../../../0-text/src/index.js'
import { parametersOf } from '../../../5-executor/src/index.js'
import { requireInside } from '../../../2-files/src/index.js'
import { loadMapping, type ToolMapping } from '../../../2-mapping/src/index.js'
import {
  contentHash, matchResults, recordedOutcome, stepsOf, trajectoryLine, type ExportFormat, type RecordedOutcome,
  type RecordedResult, type Step, type Transcript, type Turn,
} from '../../../2-transcripts/src/index.js'
import { listsNames } from './compare/recorded-command.js'
import { compare, type Comparison } from './compare/compare.js'
import { errorOf } from './error-of.js'
import { forName } from './for-name.js'
import { heldNames } from './compare/held-names.js'
import { DRIFTS, noCounts, type BlockReport, type ReplayOutcome, type TranscriptReport } from './replay-model.js'
import { lackedByMask, type Lacking } from './lacking-start.js'
import { newRewrites } from './told-rewrites.js'
import { Normalizer } from './compare/normalizer.js'
import { emptyNote, incomparableNote, unseenNote } from './transcript-notes.js'
import { TurnRunner, type Ran } from './run-step.js'
import { compareTrees, hashOfTree, readTree } from './compare/tree-hash.js'
import { drawToolsets, type ToolsetDraw } from './toolset-distribution.js'
import { StartingPlace } from './starting-place.js'
import { openWorkspace, type WorkspaceSource } from './workspace.js'

export interface ReplayOptions {
  /** `{name}` in a fixture stands for the transcript's name, without its extension. */
  workspace: WorkspaceSource
  mapping: ToolMapping
  /** Options of the runs; `root` is the workspace's. */
  execution: Omit<HermesOptions, 'root' | 'dryRun' | 'onEvent'>
  /** Enables toolsets at random, in place of those of `execution`. */
  toolsetDraw?: ToolsetDraw | undefined
  /** The expected final tree: a directory (`{name}` as above) or `sha256:…`. */
  expect?: string | undefined
  /** The directory that `expect` must lie in, if the transcripts' author named it. */
  expectWithin?: string | undefined
  /**
   * Further settings that influence the results, by name: flags, and hashes of what they refer to. Stored with results.
   */
  decides?: Readonly<Record<string, string>>
  /** Also return the transcript, with its results, as a line of training data. */
  exportFormat?: ExportFormat | undefined
  /** Also return the results as they came, to rewrite the record. */
  keepResults?: boolean
  /** Called for each block and call that has run. */
  onCall?: () => void
  /** Where workspaces are created; default: the directory for temporary files. */
  directory?: string | undefined
  signal: AbortSignal
}

export interface Replayed {
  report: TranscriptReport
  trajectory?: string
  /** Results of each block and call, by step in order; the recorded one where it was left out. */
  results?: MadeResult[][]
}

export interface MadeResult {
  /** Number of the assistant's turn it belongs to, from 1. */
  turn: number
  result: RecordedResult | undefined
  outcome: ReplayOutcome
}

/** Longest text of a drift that is kept, in UTF-16 units. */
const MOST_TEXT = 64 * 1024

const shapes = createMasker({}, { shapes: true })

/** Runs a transcript in a new workspace and compares the results. Never rejects because of the transcript. */
export async function replayTranscript(transcript: Transcript, options: ReplayOptions): Promise<Replayed> {
  const startedAt = performance.now()
  const { name, file, line, format } = transcript
  const report: TranscriptReport = {
    id: contentHash(transcript), name, file, line, format, counts: noCounts(), blocks: [], drifted: false,
    durationMs: 0,
  }
  if (options.toolsetDraw) report.toolsets = drawToolsets(options.toolsetDraw, report.id)
  const replayed: Replayed = { report }
  try {
    await runAll(transcript, options, replayed)
  } catch (error) {
    report.error = errorOf(error, 'replay')
  }
  const empty = emptyNote(transcript, report)
  if (empty !== undefined) report.empty = true
  const notes = [empty, incomparableNote(report), unseenNote(report), report.note].filter((note) => note !== undefined)
  if (notes.length > 0) report.note = notes.join('; ')
  // Results after an interrupt say nothing about the transcript.
  if (options.signal.aborted) report.error = { code: 'CANCELLED', message: 'The replay was interrupted' }
  if (report.tree) report.tree = shapes.value(report.tree)
  if (report.error) report.error = shapes.value(report.error)
  report.drifted = report.error !== undefined || (report.tree?.length ?? 0) > 0
    || report.blocks.some(({ outcome }) => DRIFTS.has(outcome))
  report.durationMs = Math.round(performance.now() - startedAt)
  return replayed
}

async function runAll(transcript: Transcript, options: ReplayOptions, replayed: Replayed): Promise<void> {
  const workspace = await openWorkspace(
    sourceFor(options.workspace, transcript.name), options.signal, options.directory,
  )
  try {
    const { root } = workspace
    // A workspace that the user names takes precedence over the recorded one.
    const start = options.workspace.kind === 'empty' ? new StartingPlace(root, transcript.contents ?? {}) : undefined
    const ownRoot = transcript.root === undefined ? [] : [transcript.root]
    const rootAliases = [
      ...new Set([...options.execution.rootAliases ?? [], ...transcript.rootAliases ?? [], ...ownRoot]),
    ]
    // The workspace is removed afterwards, so results name the root as the record does.
    const standIn = transcript.root ?? rootAliases[0] ?? '<root>'
    const normalizerFor = (held: readonly string[]): Normalizer => (
      new Normalizer([root, ...rootAliases], options.mapping.normalize, held)
    )
    const [normalizer, ofListings] = [normalizerFor([]), normalizerFor(heldNames(root))]
    const settings = {
      ...options.execution, rootAliases, root, signal: options.signal,
      // After an interrupt the remaining blocks end without having run.
      ...(options.onCall && { onEvent({ type }: HermesEvent) {
        if (type === 'block-end' && !options.signal.aborted) options.onCall?.()
      } }),
      ...(replayed.report.toolsets && { toolsets: replayed.report.toolsets }),
    }
    const runner = new TurnRunner(settings, {
      mappings: await mappingsFor(transcript, options.mapping), isOwn: transcript.format === 'hermes',
      recorded: transcript.settings ?? {},
    })
    try {
      const results: MadeResult[][] = []
      let turn = 0
      for (const step of stepsOf(transcript.turns)) {
        const ran: (Ran & { turn: number })[] = []
        for (const answer of step.turns) {
          turn++
          if (turn > 1 && answer.start) await runner.forget()
          start?.place(answer.start ?? [])
          for (const each of await runner.run(answer)) ran.push({ ...each, turn })
        }
        const settled = settleRoot(root, standIn)
        const lacking = await start?.lacking(ran, runner.registry, rootAliases)
        results.push(compareStep(ran, step, {
          transcript, normalizer, ofListings, report: replayed.report, settled, lacking: lacking ?? [],
        }))
        options.signal.throwIfAborted()
      }
      const masker = createMasker(process.env, { shapes: true })
      const asRan = (each: Turn): Turn => (each.role === 'assistant' ? runner.extended.get(each) ?? each : each)
      const rewrites = newRewrites(transcript, runner.extended)
      if (rewrites.length > 0) replayed.report.rewrites = masker.value(rewrites)
      if (runner.fatalError !== undefined) replayed.report.error = { code: 'FATAL', message: runner.fatalError }
      await compareTree(options, transcript.name, root, replayed.report)
      if (options.keepResults === true) replayed.results = masker.value(results)
      if (options.exportFormat !== undefined) {
        const rules = { relativePaths: runner.relativePaths, root, rootAliases }
        const placed = { ...transcript, ...(standIn.startsWith('/') && { root: standIn, rootAliases }) }
        const now = masker.value(withResults({ ...placed, turns: placed.turns.map(asRan) }, results))
        replayed.trajectory = await trajectoryLine(now, options.exportFormat, { registry: runner.registry, rules })
      }
    } finally {
      await runner[Symbol.asyncDispose]()
    }
  } finally {
    const note = await workspace.remove()
    if (note !== undefined) replayed.report.note = note
  }
}

/** Mappings that were loaded, so that each is read once. */
const ownMappings = new Map<string, Promise<ToolMapping>>()

/** A conversation of another harness implies the mapping of its tools; the user's own takes precedence. */
async function mappingsFor({ format, settings }: Transcript, given: ToolMapping): Promise<ToolMapping[]> {
  const name = format === 'hermes' ? undefined : settings?.mapping
  if (name === undefined || name === 'auto') return [given]
  const own = await valueAt(ownMappings, name, () => loadMapping([name], parametersOf))
  return given.shipped?.join() === 'common' ? [own, given] : [given, own]
}

interface StepContext {
  transcript: Transcript
  normalizer: Normalizer
  /** For output of commands that list names. */
  ofListings: Normalizer
  report: TranscriptReport
  /** For each block, judges a difference where something that it may have used is not in the recording. */
  lacking: readonly (((difference: Comparison) => Lacking) | undefined)[]
  /** Prepares a result for storage. */
  settled: (result: RecordedOutcome) => RecordedOutcome
}

function compareStep(
  ran: readonly (Ran & { turn: number })[], step: Step,
  { transcript: { format }, normalizer, ofListings, report, settled, lacking }: StepContext,
): MadeResult[] {
  const matched = matchResults(ran, step.results)
  return ran.map(({ turn, name, outcome, rule, left, callId, command, asked }, index) => {
    const recorded = matched[index]
    const seq = Object.values(report.counts).reduce((sum, count) => sum + count, 0) + 1
    if (left || !outcome) {
      const { kind, reason } = left ?? { kind: 'skipped', reason: 'it did not run' }
      report.counts[kind]++
      report.blocks.push({ turn, seq, name, outcome: kind, reason })
      return { turn, result: recorded, outcome: kind }
    }
    const compared = compare(
      { recorded, actual: outcome, rule, format, command },
      command !== undefined && listsNames(command) ? ofListings : normalizer,
    )
    const { reason, unseen } = DRIFTS.has(compared.outcome)
      ? { ...lacking[index]?.(compared), ...lackedByMask(asked?.params ?? {}) } : {}
    const judged = reason === undefined ? { ...compared, ...(unseen !== undefined && { reason: unseen }) }
      : { outcome: 'unrecorded' as const, reason }
    report.counts[judged.outcome]++
    if (judged.outcome !== 'same' && (judged.outcome !== 'unrecorded' || reason !== undefined)) {
      report.blocks.push(cut({ turn, seq, name, ...judged }))
    }
    const kept = settled(outcome)
    const text = rule?.textOf(kept.data)
    const now: RecordedResult = text !== undefined && !recorded?.outcome ? { text, isError: !kept.success }
      : recordedOutcome(kept)
    const where = { ...(callId !== undefined && { callId }), ...(recorded?.place && { place: recorded.place }) }
    return { turn, outcome: judged.outcome, result: { ...now, ...where } }
  })
}

/** Replaces the workspace's path by another, anywhere in a value. */
function settleRoot(root: string, standIn: string): <T>(value: T) => T {
  const settle = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(root, standIn)
    if (Array.isArray(value)) return value.map(settle)
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, settle(inner)]))
  }
  return <T>(value: T) => settle(value) as T
}

function cut(block: BlockReport): BlockReport {
  const { expected, actual } = block
  return {
    ...block,
    ...(expected !== undefined && { expected: expected.slice(0, MOST_TEXT) }),
    ...(actual !== undefined && { actual: actual.slice(0, MOST_TEXT) }),
  }
}

async function compareTree(
  { expect, expectWithin }: ReplayOptions, name: string, root: string, report: TranscriptReport,
): Promise<void> {
  if (expect === undefined) return
  const treeHash = hashOfTree(await readTree(root))
  report.treeHash = treeHash
  if (expect.startsWith('sha256:')) report.tree = expect === treeHash ? []
    : [{ path: '.', kind: 'changed', expected: expect, actual: treeHash }]
  else {
    const directory = forName(expect, name)
    if (expectWithin !== undefined) requireInside(directory, expectWithin)
    if (!orNothing(() => statSync(directory).isDirectory(), false)) {
      throw new HermesError('ENOENT', `There is no directory ${directory} to expect`, {
        hint: 'Give a directory with --expect; {name} in it stands for the transcript.',
      })
    }
    report.tree = await compareTrees(directory, root)
  }
}

/** The transcript as it would be recorded now. */
function withResults(transcript: Transcript, results: readonly MadeResult[][]): Transcript {
  const turns: Transcript['turns'] = []
  let step = -1
  let isOpen = false
  const close = (): void => {
    const made = isOpen ? (results[step] ?? []).map(({ result }) => result ?? { text: '' }) : []
    if (made.length > 0) turns.push({ role: 'results', results: made })
    isOpen = false
  }
  for (const turn of transcript.turns) {
    if (turn.role === 'assistant') {
      if (!isOpen) step++
      isOpen = true
      turns.push(turn)
      continue
    }
    close()
    if (turn.role !== 'results') turns.push(turn)
  }
  close()
  return { ...transcript, turns }
}

function sourceFor(source: WorkspaceSource, name: string): WorkspaceSource {
  return source.kind === 'fixture' ? { ...source, directory: forName(source.directory, name) } : source
}
