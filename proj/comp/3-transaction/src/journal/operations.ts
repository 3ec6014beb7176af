import * as v from 'valibot'
import { PROCESS_IDENTITY } from '../../../2-processes/src/index.js'

/** Where a saved content stands in the run's `data` file. */
const content = { size: v.number(), sha256: v.string(), at: v.optional(v.number()) }

const state = v.variant('kind', [
  v.strictObject({ kind: v.literal('absent') }),
  v.strictObject({ kind: v.literal('file'), mode: v.optional(v.number()), ...content }),
  v.strictObject({ kind: v.literal('link'), target: v.string() }),
  v.strictObject({ kind: v.literal('directory'), mode: v.optional(v.number()) }),
  v.strictObject({ kind: v.literal('other') }),
])

/** Full SHA, none on an unborn branch; and full name, none on a detached HEAD. */
const head = { head: v.optional(v.string()), branch: v.optional(v.string()) }

/**
 * What is at a path: enough to put it back. A file's content is in the `data` file unless `at` is missing; the target
 * of a link is in Base64, since it may be any bytes.
 */
export type FileState = v.InferOutput<typeof state>

/**
 * One line of a run's log. What changes a file is written before it is done:
 *
 * - `set`: a path goes from one state to another; the other way round it is undone
 * - `move`: `from` becomes `to`; what was at `to` was `replaced`
 * - `failed`: the change just before it was not done (or the command not started), or the last `set` of `path`
 * - `command`: a program is started, which may change anything; `tree` is git's snapshot before it, `head` the commit
 *   and `branch` the branch that is checked out, `programs` a hash of git's hooks and configuration
 * - `staged`: what git's index had otherwise than HEAD, recorded before the first `command`; the last one counts
 * - `snapshot`: the same as `command` after the last command
 * - `commit`: git is being asked to commit, `at` that time in milliseconds since 1970
 * - `process`: a command leads the process group `pid`, since `at`, in milliseconds since 1970
 * - `restoring`: everything is being put back, which may be cut short, and is then to be gone on with
 */
const operation = v.variant('op', [
  v.strictObject({ op: v.literal('set'), path: v.string(), old: state, new: state }),
  v.strictObject({ op: v.literal('move'), from: v.string(), to: v.string(), moved: state, replaced: state }),
  v.strictObject({ op: v.literal('failed'), path: v.optional(v.string()) }),
  v.strictObject({
    op: v.literal('command'), action: v.string(), ...head, tree: v.optional(v.string()),
    programs: v.optional(v.string()),
  }),
  v.strictObject({
    op: v.literal('staged'),
    entries: v.array(v.strictObject({ name: v.string(), mode: v.string(), object: v.string() })),
  }),
  v.strictObject({ op: v.literal('snapshot'), ...head, tree: v.string() }),
  v.strictObject({ op: v.literal('commit'), at: v.optional(v.number()) }),
  v.strictObject({ op: v.literal('restoring') }),
  v.strictObject({ op: v.literal('process'), pid: v.number(), at: v.number() }),
])

export type Operation = v.InferOutput<typeof operation>
export type FileOperation = Extract<Operation, { op: 'set' | 'move' }>

/** What extensions made of the answer before it ran, behind the first line; absent where none changed it. */
const rewrites = v.strictObject({
  op: v.literal('rewrites'),
  by: v.array(v.strictObject({
    extension: v.string(), version: v.exactOptional(v.string()), command: v.string(), before: v.string(),
    after: v.string(), diff: v.string(),
  })),
})
export type RewritesLine = v.InferOutput<typeof rewrites>

const begin = v.strictObject({
  op: v.literal('begin'),
  /** 1: before lines were signed. */
  format: v.picklist([1, 2]),
  /** Its place in the chain of runs, from 1: runs are in the order of these, not of clocks. */
  seq: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  /** Signature of the last line of the run before it. */
  prev: v.optional(v.string()),
  runId: v.string(),
  /** `run`, or what takes back or repeats another run. */
  kind: v.picklist(['run', 'undo', 'redo']),
  /** The run that is taken back or repeated. */
  of: v.optional(v.string()),
  /** What it was made for, e.g. the message of a conversation: runs of one unit are undone together. */
  unit: v.optional(v.string()),
  /** Nothing of it is committed, nor of what takes it back. */
  commits: v.optional(v.literal(false)),
  /** ISO 8601. */
  startedAt: v.string(),
  /** All or nothing: when it dies, everything is put back. */
  atomic: v.optional(v.literal(true)),
  /** What is put back must survive a loss of power, as the run itself. */
  durable: v.optional(v.literal(true)),
  /** The process that runs it. */
  owner: v.optional(PROCESS_IDENTITY),
})

const end = v.strictObject({
  op: v.literal('end'),
  /** ISO 8601. */
  endedAt: v.string(),
  blocks: v.number(),
  failures: v.number(),
  /** One line, e.g. `write a.ts, delete b.ts`. */
  summary: v.string(),
  /** Full SHA. */
  commit: v.optional(v.string()),
  /** It changed git's hooks or configuration: their hash before it, as in `command`. */
  programs: v.optional(v.string()),
  /** `restored`: it died, or was atomic and failed, and everything is as it was before. */
  outcome: v.picklist(['done', 'restored']),
  /** An undo or redo that could not put back everything: the run is still what it was. */
  partial: v.optional(v.literal(true)),
})

export type RunBegin = v.InferOutput<typeof begin>
export type RunEnd = v.InferOutput<typeof end>

/** The first line of a log. */
export const BEGIN_LINE = begin
export const LOG_LINE = v.variant('op', [begin, rewrites, end, ...operation.options])
