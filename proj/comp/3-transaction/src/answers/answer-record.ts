import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { HermesError, orNothing } from '../../../0-contracts/src/index.js'
import { readNames, readRegular, runDirectory, writeOwn } from '../../../2-files/src/index.js'
import { listRunIds } from '../journal/index.js'

const ANSWER_FILE = 'answer.json'
const MOST_BYTES = 32 * 2 ** 20

/** Names a directory beside others. */
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

/** What came of a block. Its id may be given again, but for a number or the id of a call (`isLoose`). */
const BLOCK = v.union([
  v.strictObject({ isLoose: v.boolean(), digest: v.string(), result: RESULT }),
  v.strictObject({ isLoose: v.boolean(), errors: v.pipe(v.array(PARSE_ERROR), v.minLength(1)), counts: v.boolean() }),
])

const RECORD = v.strictObject({
  format: v.literal(1),
  /** The runs with which it went on, oldest first: what their blocks came to is in `blocks` as well. */
  continues: v.array(run),
  /** The run that went on with it last. */
  continuedBy: v.exactOptional(run),
  /** It changed something, so that it can be taken back. */
  hasJournal: v.boolean(),
  executedActions: v.number(),
  blocks: v.array(BLOCK),
})

export type KeptBlock = v.InferOutput<typeof BLOCK>
export type AnswerRecord = Omit<v.InferOutput<typeof RECORD>, 'format' | 'hasJournal'> & { hasJournal?: boolean }

/** Keeps what the blocks of a run came to, for a second answer. @throws Node's errors, HermesError `POLICY_DENIED` */
export function keepAnswer(root: string, runId: string, record: AnswerRecord): void {
  const hasJournal = record.hasJournal ?? listRunIds(root).includes(runId)
  writeOwn(join(runDirectory(root, runId), ANSWER_FILE), `${JSON.stringify({ format: 1, ...record, hasJournal })}\n`,
    { isDurable: false })
}

/** @throws HermesError `CHANGED_ON_DISK` where it is not as it was written */
export function readAnswer(root: string, runId: string): AnswerRecord | undefined {
  const path = join(root, '.hermes', 'runs', runId, ANSWER_FILE)
  const bytes = orNothing(() => readRegular(path, MOST_BYTES), undefined)
  if (bytes === undefined) return undefined
  try {
    const { format: _, ...record } = v.parse(RECORD, JSON.parse(Buffer.from(bytes).toString('utf8')))
    return record
  } catch (error) {
    if (!(error instanceof SyntaxError) && !v.isValiError(error)) throw error
    throw new HermesError('CHANGED_ON_DISK', `What is kept of run ${runId} cannot be read: ${path}`, {
      hint: 'Remove the file, and apply the whole answer.', cause: error,
    })
  }
}

/** Ids of the runs whose answer is kept, oldest first. */
export function keptAnswers(root: string): string[] {
  const runs = join(root, '.hermes', 'runs')
  return orNothing(() => readNames(runs), []).map(({ name }) => name)
    .filter((name) => existsSync(join(runs, name, ANSWER_FILE))).sort()
}
