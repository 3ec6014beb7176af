import * as v from 'valibot'
import { MAPPING_NAMES, READ_FORMATS, notArray } from '../../../0-contracts/src/index.js'
import {
  address, CARRIED, counted, duration, FAILURE, OBJECT_LINE, NETWORK, readForm, TOOLSETS, WORKER, WORKSPACE,
  type JobKind,
} from '../jobs/index.js'
import { SHIPPED } from '../../../2-mapping/src/index.js'
import { OUTCOMES, parsedJson, type Replayed } from '../../../6-replay/src/index.js'
import {
  CONTENTS, EXPORT_FORMATS, STARTING_PATH, TRANSCRIPT_FORMATS, type Transcript,
} from '../../../2-transcripts/src/index.js'

const text = v.string()
const flag = v.boolean()
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const texts = v.array(text)

/** How to run a transcript, from the flags of the replay. */
const SETTINGS = v.strictObject({
  workspace: WORKSPACE,
  expect: v.optional(v.variant('kind', [
    v.strictObject({ kind: v.literal('hash'), hash: address }),
    v.strictObject({ kind: v.literal('tree'), content: address }),
  ])),
  mapping: v.variant('kind', [
    // Never a path, which would be read from the worker's disk.
    v.strictObject({ kind: v.literal('shipped'), names: v.array(v.picklist(Object.keys(SHIPPED))) }),
    v.strictObject({ kind: v.literal('content'), content: address }),
  ]),
  execution: v.strictObject({
    rootAliases: v.optional(texts),
    relativePaths: v.optional(flag),
    match: v.optional(v.picklist(['exact', 'tolerant'])),
    editFormats: v.optional(v.array(v.picklist(READ_FORMATS))),
    toolsets: v.optional(TOOLSETS),
    gitCommit: v.optional(flag),
    timeoutMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_147_483_000))),
    sandbox: v.optional(v.picklist(['auto', 'bwrap', 'unshare', 'none'])),
    network: v.optional(NETWORK),
    yes: v.optional(flag),
  }),
  exportFormat: v.optional(v.picklist(EXPORT_FORMATS)),
  keepResults: v.optional(flag),
})
export type JobSettings = v.InferOutput<typeof SETTINGS>

const JOB = v.strictObject({ version: v.literal(1), name: text, settings: SETTINGS, transcript: CARRIED })
/** A job on the queue: one transcript to replay. */
export type ReplayJob = v.InferOutput<typeof JOB>

const ANSWER = v.strictObject({
  version: v.literal(1), worker: WORKER, replayed: CARRIED,
  // Another worker may succeed: this one refused the job, or could not send its result.
  unrun: v.optional(v.literal(true)),
})
/** The answer to a job. */
export type ReplayAnswer = v.InferOutput<typeof ANSWER>

const SAID = {
  text,
  isError: v.optional(flag),
  isUnknown: v.optional(v.literal(true)),
  outcome: v.optional(v.strictObject({
    success: flag, error: v.optional(text), code: v.optional(text), hint: v.optional(text),
    data: v.optional(v.unknown()),
  })),
}
/** Without its place in a record, which only the producer needs. */
const RECORDED = v.strictObject({ callId: v.optional(text), ...SAID })
const MADE = v.strictObject(SAID)

/** What one extension made of an answer. */
const REWRITE = {
  extension: text, version: v.optional(text), command: text, before: text, after: text, text: v.optional(text),
}
/** What extensions made of an answer before it ran. */
const REWRITTEN = v.strictObject({
  original: text,
  by: v.array(v.strictObject({ ...REWRITE, diff: text })),
  inexact: v.optional(v.literal(true)),
})

/** Settings of recorded runs. */
const RAN = v.strictObject({
  relativePaths: v.optional(flag),
  editFormats: v.optional(v.array(v.picklist(READ_FORMATS))),
  mapping: v.optional(v.picklist([...MAPPING_NAMES, 'auto'])),
  match: v.optional(v.picklist(['exact', 'tolerant'])),
  atomic: v.optional(v.union([flag, v.literal('files')])),
  toolsets: v.optional(texts),
  startsInThink: v.optional(flag),
  gitCommit: v.optional(flag),
})

const TRANSCRIPT = notArray(v.strictObject({
  file: text,
  line: v.optional(count),
  name: text,
  format: v.picklist(TRANSCRIPT_FORMATS),
  turns: v.array(v.variant('role', [
    v.strictObject({ role: v.picklist(['system', 'user']), text }),
    v.strictObject({
      role: v.literal('assistant'), reasoning: text, text,
      calls: v.array(v.strictObject({
        id: v.optional(text), name: text, arguments: v.optional(v.unknown()), byService: v.optional(v.literal(true)),
      })),
      rewritten: v.optional(REWRITTEN),
      start: v.optional(v.array(STARTING_PATH)),
      settings: v.optional(RAN),
    }),
    v.strictObject({ role: v.literal('results'), results: v.array(RECORDED) }),
  ])),
  tools: v.optional(v.unknown()),
  root: v.optional(text),
  rootAliases: v.optional(texts),
  settings: v.optional(RAN),
  contents: v.optional(CONTENTS),
}))

const outcome = v.picklist(OUTCOMES)
/** Unknown fields are dropped. */
const REPLAYED = v.strictObject({
  report: v.object({
    id: text, name: text, file: text, format: v.picklist(TRANSCRIPT_FORMATS),
    counts: v.strictObject(
      Object.fromEntries(OUTCOMES.map((name) => [name, counted])) as Record<(typeof OUTCOMES)[number], typeof counted>,
    ),
    blocks: v.array(v.object({
      turn: counted, seq: counted, name: text, outcome, reason: v.optional(text), expected: v.optional(text),
      actual: v.optional(text),
    })),
    treeHash: v.optional(text),
    tree: v.optional(v.array(v.object({
      path: text, kind: v.picklist(['missing', 'unexpected', 'changed']), expected: v.optional(text),
      actual: v.optional(text),
    }))),
    error: v.optional(FAILURE),
    rewrites: v.optional(v.array(v.object({
      ...REWRITE, turn: counted, undone: v.optional(v.literal(true)), isNew: v.optional(v.literal(true)),
    }))),
    empty: v.optional(v.literal(true)),
    note: v.optional(text),
    drifted: flag,
    durationMs: duration,
  }),
  trajectory: v.optional(OBJECT_LINE),
  results: v.optional(v.array(v.array(v.strictObject({ turn: counted, result: v.optional(MADE), outcome })))),
})

/** @throws HermesError `INVALID_JOB` */
export function readTranscript(json: string): Transcript {
  // The original data, not the checked copy: the hash depends on the order of keys.
  const data = parsedJson(json)
  readForm(TRANSCRIPT, data, 'A transcript')
  return data as Transcript
}

/** @throws HermesError `INVALID_JOB` */
export function readReplayed(json: string): Replayed {
  return readForm(REPLAYED, parsedJson(json), 'A result') as unknown as Replayed
}

/** Kind of jobs: transcripts. */
export const REPLAY_JOBS: JobKind<ReplayJob, ReplayAnswer> = {
  queue: 'hermes-replay', job: 'replay', what: 'transcripts', workerCommand: 'hermes worker --queue …',
  readJob: (data) => readForm(JOB, data, 'A job'),
  readAnswer: (data) => readForm(ANSWER, data, 'An answer'),
}
