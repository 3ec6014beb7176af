import * as v from 'valibot'
import { TRANSCRIPT_FORMATS } from '../../../../2-transcripts/src/index.js'
import { OUTCOMES } from '../replay-model.js'
import type { ReplayDocument } from './replay-document.js'

const text = v.string()
const flag = v.boolean()
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const line = v.optional(count)
const counts = v.object(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, count])) as Record<
  (typeof OUTCOMES)[number], typeof count
>)

const TRANSCRIPT_REPORT = v.object({
  id: text, name: text, file: text, line, format: v.picklist(TRANSCRIPT_FORMATS), toolsets: v.optional(v.array(text)),
  counts,
  blocks: v.array(v.object({
    turn: count, seq: count, name: text, outcome: v.picklist(OUTCOMES), reason: v.optional(text),
    expected: v.optional(text), actual: v.optional(text),
  })),
  treeHash: v.optional(text),
  tree: v.optional(v.array(v.object({
    path: text, kind: v.picklist(['missing', 'unexpected', 'changed']), expected: v.optional(text),
    actual: v.optional(text),
  }))),
  error: v.optional(v.object({ code: text, message: text, hint: v.optional(text) })),
  rewrites: v.optional(v.array(v.object({
    turn: count, extension: text, version: v.optional(text), command: text, before: text, after: text,
    undone: v.optional(v.literal(true)), isNew: v.optional(v.literal(true)),
  }))),
  empty: v.optional(v.literal(true)), note: v.optional(text), drifted: flag, durationMs: v.number(),
})

/** Schema of `ReplayDocument`; the source of `docs/schemas/replay.schema.json`. */
export const REPLAY_DOCUMENT = v.object({
  schemaVersion: v.literal(1), success: flag, transcripts: count, drifted: count, errors: count, counts,
  treeDifferences: count, empty: v.optional(count), bad: count, interrupted: v.optional(text), durationMs: v.number(),
  reports: v.array(TRANSCRIPT_REPORT), moreReports: v.optional(count),
  badRecords: v.array(v.object({ file: text, line, code: text, message: text, hint: text })),
  moreBadRecords: v.optional(count),
  cutShort: v.optional(v.array(v.object({ name: text, file: text, line }))),
} satisfies Record<keyof ReplayDocument, v.GenericSchema>)
