import * as v from 'valibot'
import { PROCESS_IDENTITY } from '../../../2-processes/src/index.js'

/** A content in the run's `data` file: `at` is its offset. */
const content = { size: v.number(), sha256: v.string(), at: v.optional(v.number()) }

const state = v.variant('kind', [
  v.strictObject({ kind: v.literal('absent') }),
  v.strictObject({ kind: v.literal('file'), mode: v.optional(v.number()), ...content }),
  v.strictObject({ kind: v.literal('link'), target: v.string() }),
  v.strictObject({ kind: v.literal('directory'), mode: v.optional(v.number()) }),
  v.strictObject({ kind: v.literal('other') }),
])

/** Full SHA of HEAD, absent on an unborn branch; full name of the branch, absent on a detached HEAD. */
const head = { head: v.optional(v.string()), branch: v.optional(v.string()) }

/**
 * What is at a path, with all that is needed to restore it. A file's content is in the `data` file, unless `at` is
 * missing. A link's target is Base64, since it may be any bytes.
 */
export type FileState = v.InferOutput<typeof state>

/**
 * One line of a run's log. A change to a file is recorded before it is made:
 *
 * - `set`: a path changes from state `old` to `new`; undo swaps them
 * - `move`: `from` is renamed to `to`; what was at `to` is `replaced`
 * - `failed`: the previous change was not made (or the command not started); with `path`, the last `set` of it
 * - `command`: a program is started, which may change anything; `tree` is git's snapshot before it, `head` the commit
 *   and `branch` the branch that is checked out, `programs` a hash of git's hooks and configuration
 * - `staged`: entries of git's index that differ from HEAD, before the first `command`; the last such line counts
 * - `snapshot`: as `command`, after the last command
 * - `commit`: git is being asked to commit; `at` is that time in milliseconds since 1970
 * - `process`: a command leads the process group `pid` since `at`, in milliseconds since 1970
 * - `restoring`: everything is being restored; if that is interrupted, it has to be continued
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

/** How extensions changed the answer before it ran; the second line of the log, absent where none changed it. */
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
  /** 1: lines are not signed; 2: they are. */
  format: v.picklist([1, 2]),
  /** Number in the chain of runs, from 1. Runs are ordered by it, not by clocks. */
  seq: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  /** Signature of the last line of the previous run. */
  prev: v.optional(v.string()),
  runId: v.string(),
  /** `run`, or the kind of run that reverses or repeats another. */
  kind: v.picklist(['run', 'undo', 'redo']),
  /** For `undo` and `redo`: the other run. */
  of: v.optional(v.string()),
  /** Unit of the run, e.g. the message of a conversation: runs of one unit are undone together. */
  unit: v.optional(v.string()),
  /** Set where the run makes no commit; its undo and redo then make none either. */
  commits: v.optional(v.literal(false)),
  /** ISO 8601. */
  startedAt: v.string(),
  /** All or nothing: if the process dies, everything is restored. */
  atomic: v.optional(v.literal(true)),
  /** Restored files have to survive a loss of power, like the run's own changes. */
  durable: v.optional(v.literal(true)),
  /** The process of the run. */
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
  /** The run changed git's hooks or configuration: their hash before it, as in `command`. */
  programs: v.optional(v.string()),
  /** `restored`: it died, or was atomic and failed, and everything was restored. */
  outcome: v.picklist(['done', 'restored']),
  /** An undo or redo that could not restore everything: the other run keeps its state. */
  partial: v.optional(v.literal(true)),
})

export type RunBegin = v.InferOutput<typeof begin>
export type RunEnd = v.InferOutput<typeof end>

/** The first line of a log. */
export const BEGIN_LINE = begin
export const LOG_LINE = v.variant('op', [begin, rewrites, end, ...operation.options])
