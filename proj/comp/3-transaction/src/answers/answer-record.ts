import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { caught, HermesError, orNothing } from '../../../0-contracts/src/index.js'
import { readNames, readRegular, runDirectory, writeOwn } from '../../../2-files/src/index.js'
import { listRunIds } from '../journal/index.js'
import { isMalformed } from '../malformed.js'

const ANSWER_FILE = 'answer.json'
const MOST_BYTES = 32 * 2 ** 20

/** A run id: safe as a directory name. */
const run = v.pipe(v.string(), v.regex(/^[\w-]+$/))
const lines = { startLine: v.number(), endLine: v.number() }
const text = v.exactOptional(v.string())
const called = { action: v.string(), params: v.record(v.string(), v.unknown()) }

const RESULT = v.strictObject({
  seq: v.number(), blockId: v.string(), ...called, ranAs: v.exactOptional(v.array(v.strictObject(called))),
  success: v.boolean(), error: text, code: text, hint: text, warned: v.exactOptional(v.literal(true)), runId: text,
  ...lines, durationMs: v.number(),
})

const PARSE_ERROR = v.strictObject({
  blockId: text, runId: text, ...lines, source: v.string(),
  error: v.strictObject({
    code: v.string(), message: v.string(), line: v.number(), column: v.number(), length: v.number(), hint: text,
  }),
})

/**
 * The outcome of a block. `isLoose`: its id is positional (`b1`) or that of a tool call, so a later answer may use it
 * again for another block.
 */
const BLOCK = v.union([
  v.strictObject({ isLoose: v.boolean(), digest: v.string(), result: RESULT }),
  v.strictObject({ isLoose: v.boolean(), errors: v.pipe(v.array(PARSE_ERROR), v.minLength(1)), counts: v.boolean() }),
])

const RECORD = v.strictObject({
  format: v.literal(1),
  /** Runs that this one continued, oldest first; the outcomes of their blocks are in `blocks` too. */
  continues: v.array(run),
  /** The latest run that continued this one. */
  continuedBy: v.exactOptional(run),
  /** The run has a journal, so it can be undone. */
  hasJournal: v.boolean(),
  executedActions: v.number(),
  blocks: v.array(BLOCK),
})

export type KeptBlock = v.InferOutput<typeof BLOCK>
export type AnswerRecord = Omit<v.InferOutput<typeof RECORD>, 'format' | 'hasJournal'> & { hasJournal?: boolean }

/**
 * Stores the outcomes of a run's blocks, for a second answer that continues it (`--continue`).
 *
 * @throws Node's errors, HermesError `POLICY_DENIED`
 */
export function keepAnswer(root: string, runId: string, record: AnswerRecord): void {
  const hasJournal = record.hasJournal ?? listRunIds(root).includes(runId)
  writeOwn(join(runDirectory(root, runId), ANSWER_FILE), `${JSON.stringify({ format: 1, ...record, hasJournal })}\n`,
    { isDurable: false })
}

/**
 * @returns `undefined` where there is none
 * @throws HermesError `CHANGED_ON_DISK` for a file that is damaged
 */
export function readAnswer(root: string, runId: string): AnswerRecord | undefined {
  const path = join(root, '.hermes', 'runs', runId, ANSWER_FILE)
  const bytes = orNothing(() => readRegular(path, MOST_BYTES), undefined)
  if (bytes === undefined) return undefined
  return caught(isMalformed, () => {
    const { format: _, ...record } = v.parse(RECORD, JSON.parse(Buffer.from(bytes).toString('utf8')))
    return record
  }, (error) => {
    throw new HermesError('CHANGED_ON_DISK', `What is kept of run ${runId} cannot be read: ${path}`, {
      hint: 'Remove the file, and apply the whole answer.', cause: error,
    })
  })
}

/** Ids of the runs with a stored answer, oldest first. */
export function keptAnswers(root: string): string[] {
  const runs = join(root, '.hermes', 'runs')
  return orNothing(() => readNames(runs), []).map(({ name }) => name)
    .filter((name) => existsSync(join(runs, name, ANSWER_FILE))).sort()
}
