import {
  READ_FORMATS, isRecord, MAPPING_NAMES, type ActionResult, type ParseError,
} from '../../0-contracts/src/index.js'
import { nearest } from '../../0-text/src/index.js'
import { invalidTranscript } from './transcript-failure.js'
import { asText, defined, listOf, textOf } from './fields.js'
import type { AssistantTurn, Conversation, RewrittenAnswer, TranscriptSettings, Turn } from './transcript-model.js'
import { recordedRewrite } from './rewritten/index.js'
import { contentsIn, startIn } from './starting-files/index.js'
import { blockOutcomes, recordedOutcome } from './block-outcomes.js'

/** Version of the schema in docs/replay.md; later ones are rejected. */
export const RECORDING_VERSION = 1

/** Event types of the schema; present recordings have no hook events. */
const EVENT_TYPES = [
  'run', 'content', 'start', 'answer', 'rewrite', 'block-start', 'block-end', 'parse-error', 'skipped', 'hook-start',
  'hook-end', 'end',
]

/** The events of one run, in order. */
export interface RecordedEvents {
  run: Record<string, unknown>
  answer: string
  events: Record<string, unknown>[]
}

/**
 * The runs of a recording in the order they began, each with its events: runs may be interleaved, or have been killed.
 * Runs without an answer are left out.
 *
 * @throws HermesError `INVALID_TRANSCRIPT`
 */
export function recordedRuns(events: readonly unknown[]): RecordedEvents[] {
  const runs: RecordedEvents[] = []
  const byId = new Map<unknown, RecordedEvents>()
  for (const [index, event] of events.entries()) {
    if (!isRecord(event)) throw invalidTranscript(`Event ${index + 1} is no object`)
    if (event['type'] === 'run') {
      if (event['version'] !== RECORDING_VERSION) {
        throw invalidTranscript(`The recording has version ${asText(event['version'])}, `
          + `this hermes reads ${RECORDING_VERSION}`)
      }
      const run = { run: event, answer: '', events: [] }
      runs.push(run)
      byId.set(event['id'], run)
      continue
    }
    requireKnown(event, index)
    // Recordings of earlier versions have no ids: an event belongs to the latest run.
    const run = event['run'] === undefined ? runs.at(-1) : byId.get(event['run'])
    run?.events.push(event)
    if (run && event['type'] === 'answer') run.answer = asText(event['text'])
  }
  return runs.filter(({ answer }) => answer !== '')
}

/** Rejects unknown events, since skipping a result would make its block `unrecorded`, which is no failure. */
function requireKnown({ type, result, error }: Record<string, unknown>, index: number): void {
  const name = asText(type)
  if (!EVENT_TYPES.includes(name)) {
    const near = nearest(name, EVENT_TYPES)
    throw invalidTranscript(
      `Event ${index + 1} of the recording has the unknown type ${JSON.stringify(name)}`,
      near === undefined ? undefined : `Did you mean ${near}?`,
    )
  }
  if (type === 'block-end' ? isActionResult(result) : type !== 'parse-error' || isParseError(error)) return
  throw invalidTranscript(`Event ${index + 1} of the recording, a ${name}, has no known form`)
}

/** Reads the output of `hermes apply --record`: one event a line, of one or several runs. */
export function readRecording(events: readonly unknown[]): Conversation {
  const turns: Turn[] = []
  const contents = contentsIn(events.filter(isRecord))
  const runs = recordedRuns(events)
  const [first] = runs
  const root = textOf(first?.run['root'])
  const versions = runs.map(({ events: own }) => verbVersionsIn(own))
  // Each turn gets the versions of all runs, as one session runs them all, unless a verb changed in between.
  const all = Object.assign({}, ...versions.toReversed()) as Record<string, string>
  const settingsOf = (run: Record<string, unknown>, own?: Record<string, string>): TranscriptSettings | undefined => (
    settingsIn({ ...run, verbVersions: { ...all, ...own } })
  )
  const settings = first && settingsOf(first.run, versions[0])
  for (const [index, { run, answer, events: own }] of runs.entries()) {
    const ran = settingsOf(run, versions[index])
    const isOther = JSON.stringify(ran) !== JSON.stringify(settings)
    turns.push(defined<AssistantTurn>({
      role: 'assistant', reasoning: '', text: answer, calls: [], rewritten: rewrittenIn(own),
      start: startIn(own, contents), settings: isOther ? ran ?? {} : undefined,
    }))
    const results = own.flatMap(({ type, result }) => (type === 'block-end' && isActionResult(result) ? [result] : []))
    const errors = own.flatMap(({ type, error }) => (type === 'parse-error' && isParseError(error) ? [error] : []))
    const recorded = blockOutcomes(results, errors).map(recordedOutcome)
    // A killed run may have no results: keep an empty turn, so that later results do not count as its own.
    const isKilled = !own.some(({ type }) => type === 'end')
    if (recorded.length > 0 || isKilled) turns.push({ role: 'results', results: recorded })
  }
  const aliases = [...new Set(runs.flatMap(({ run }) => listOf(run['rootAliases']).map(asText)))]
  return defined<Conversation>({
    turns, root, rootAliases: aliases.length > 0 ? aliases : undefined, settings,
    contents: Object.keys(contents).length > 0 ? contents : undefined,
  })
}

/** Versions of verbs in results, see `ActionResult`. */
export function verbVersionsOf(results: readonly ActionResult[]): Record<string, string> {
  return Object.fromEntries(results.flatMap(({ action, ranAs, verbVersion }) => (
    verbVersion === undefined ? [] : [[ranAs?.[0]?.action ?? action, verbVersion]]
  )))
}

function verbVersionsIn(events: readonly Record<string, unknown>[]): Record<string, string> {
  return verbVersionsOf(events.flatMap(({ result }) => (
    isActionResult(result) && typeof result.verbVersion === 'string' ? [result] : []
  )))
}

/** How extensions changed the answer of a run; earlier versions only record it at the end. */
function rewrittenIn(events: readonly Record<string, unknown>[]): RewrittenAnswer | undefined {
  const answer = events.find(({ type }) => type === 'answer')
  const original = textOf(answer?.['original'])
  if (original === undefined) return undefined
  const told = events.filter(({ type }) => type === 'rewrite')
  const end = events.find(({ type }) => type === 'end')
  const by = (told.length > 0 ? told : listOf(end?.['rewrites'])).flatMap((rewrite) => recordedRewrite(rewrite) ?? [])
  // For recordings that do not say whether secrets are masked, this is unknown.
  return { original, by, ...((answer?.['inexact'] === true || told.length === 0) && { inexact: true }) }
}

/** Recorded settings of how answers are read and run. */
export function settingsIn(event: Record<string, unknown>): TranscriptSettings | undefined {
  const { relativePaths, match, atomic, startsInThink, gitCommit } = event
  const toolsets = listOf(event['toolsets']).filter((name) => typeof name === 'string')
  const editFormats = READ_FORMATS.filter((format) => listOf(event['editFormats']).includes(format))
  const written = isRecord(event['verbVersions']) ? Object.entries(event['verbVersions']) : []
  const versions = written.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const settings = defined<TranscriptSettings>({
    relativePaths: relativePaths === true || undefined,
    editFormats: editFormats.length > 0 ? editFormats : undefined,
    mapping: ([...MAPPING_NAMES, 'auto'] as const).find((name) => name === event['mapping']),
    match: match === 'exact' || match === 'tolerant' ? match : undefined,
    atomic: atomic === true || atomic === 'files' ? atomic : undefined,
    toolsets: toolsets.length > 0 ? toolsets : undefined,
    startsInThink: startsInThink === true || undefined,
    gitCommit: gitCommit === false ? gitCommit : undefined,
    verbVersions: versions.length > 0 ? Object.fromEntries(versions) : undefined,
  })
  return Object.keys(settings).length > 0 ? settings : undefined
}

/** What an exported transcript records of its run. */
export function placeIn(record: unknown): Pick<Conversation, 'root' | 'rootAliases' | 'settings'> {
  const place = isRecord(record) ? record['hermes'] : undefined
  if (!isRecord(place)) return {}
  const aliases = listOf(place['rootAliases']).filter((alias) => typeof alias === 'string')
  const rootAliases = aliases.length > 0 ? aliases : undefined
  return defined<ReturnType<typeof placeIn>>({ root: textOf(place['root']), rootAliases, settings: settingsIn(place) })
}

function isActionResult(value: unknown): value is ActionResult {
  return isRecord(value) && typeof value['success'] === 'boolean' && typeof value['startLine'] === 'number'
    && typeof value['blockId'] === 'string' && typeof value['action'] === 'string' && isRecord(value['params'])
}

function isParseError(value: unknown): value is ParseError {
  return isRecord(value) && typeof value['startLine'] === 'number' && isRecord(value['error'])
    && typeof value['error']['message'] === 'string' && typeof value['error']['code'] === 'string'
}
