import * as v from 'valibot'
import { READ_FORMATS, MAPPING_NAMES } from '../../../0-contracts/src/index.js'

/** Version of the file's form; no other version is read. */
export const PLAN_VERSION = 1

const text = v.string()
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
/**
 * State of a path: SHA-256 of the file's bytes, or what it is instead. `unknown`: not text, or too large to be kept.
 */
const content = v.union([hash, v.picklist(['none', 'directory', 'link', 'other', 'unknown'])])

/** Options for reading the answer: they grant nothing, so they are taken from the plan. */
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

/** Options that grant access: the user must give them again, since the plan's file may be somebody else's. */
const OPENED = v.strictObject({
  allow: v.array(text),
  sandbox: v.nullable(v.picklist(['auto', 'bwrap', 'unshare', 'none'])),
  network: v.union([v.boolean(), v.array(text)]),
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

/** What extensions changed in the answer. */
const REWRITTEN = v.strictObject({
  original: text,
  rewrites: v.array(v.strictObject({
    extension: text, version: v.exactOptional(text), command: text, before: hash, after: hash, diff: text,
  })),
  /** The text after each of them; the last is the answer. */
  texts: v.array(text),
})

export const PLAN = v.strictObject({
  hermesPlan: v.literal(PLAN_VERSION),
  madeAt: text,
  /** Version of hermes. */
  hermes: text,
  /** Absolute path with links resolved. */
  root: text,
  answer: v.strictObject({ sha256: hash, text, rewritten: v.optional(REWRITTEN) }),
  reading: READING,
  opened: OPENED,
  /** Contents of the policy files, by field. */
  policy: v.record(text, v.array(text)),
  blocks: v.array(BLOCK),
  /** Codes and lines of parse errors. */
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
