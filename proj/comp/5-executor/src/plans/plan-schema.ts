import * as v from 'valibot'
import { READ_FORMATS, MAPPING_NAMES } from '../../../0-contracts/src/index.js'

/** Of the form of the file; another is not read. */
export const PLAN_VERSION = 1

const text = v.string()
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
/** What is at a path: the SHA-256 of its bytes, or what it is instead. `unknown`: no text, or too large to be kept. */
const content = v.union([hash, v.picklist(['none', 'directory', 'link', 'other', 'unknown'])])

/** What an answer is read with: it opens nothing, so that it comes from the plan. */
const READING = v.strictObject({
  rootAliases: v.array(text),
  relativePaths: v.boolean(),
  toolsets: v.nullable(v.array(text)),
  editFormats: v.nullable(v.array(v.picklist(READ_FORMATS))),
  mapping: v.optional(v.picklist([...MAPPING_NAMES, 'auto'])),
  match: v.nullable(v.picklist(['exact', 'tolerant'])),
  startsInThink: v.boolean(),
  atomic: v.union([v.boolean(), v.literal('files')]),
  gitCommit: v.boolean(),
  hooks: v.boolean(),
})

/** What opens something: it has to be said again, since whoever made the file may be somebody else. */
const OPENED = v.strictObject({
  allow: v.array(text),
  sandbox: v.nullable(v.picklist(['auto', 'bwrap', 'unshare', 'none'])),
  network: v.boolean(),
  timeoutMs: v.nullable(v.number()),
})

const BLOCK = v.strictObject({
  id: text, action: text, startLine: v.number(), success: v.boolean(), code: v.optional(text),
  command: v.optional(text),
})
const FILE = v.strictObject({ path: text, before: content, after: content })
const HOOK = v.strictObject({
  on: text, name: text, command: text, paths: v.optional(v.array(text)), timeoutMs: v.optional(v.number()),
  continueOnError: v.optional(v.literal(true)),
})

/** What extensions made of an answer. */
const REWRITTEN = v.strictObject({
  original: text,
  rewrites: v.array(v.strictObject({
    extension: text, version: v.exactOptional(text), command: text, before: hash, after: hash, diff: text,
  })),
  /** What each of them left; the last is the answer. */
  texts: v.array(text),
})

export const PLAN = v.strictObject({
  hermesPlan: v.literal(PLAN_VERSION),
  madeAt: text,
  hermes: text,
  /** Canonical. */
  root: text,
  answer: v.strictObject({ sha256: hash, text, rewritten: v.optional(REWRITTEN) }),
  reading: READING,
  opened: OPENED,
  /** What the policy files say, field by field. */
  policy: v.record(text, v.array(text)),
  blocks: v.array(BLOCK),
  /** Codes and lines of what did not parse. */
  parseErrors: v.array(v.strictObject({ code: text, line: v.number() })),
  files: v.array(FILE),
  hooks: v.array(HOOK),
  /** SHA-256 of all other fields. */
  digest: hash,
})

export type Plan = v.InferOutput<typeof PLAN>
export type PlanReading = Plan['reading']
export type PlanRewritten = v.InferOutput<typeof REWRITTEN>
export type PlanOpened = Plan['opened']
export type PlannedFile = Plan['files'][number]
export type ContentState = PlannedFile['before']
