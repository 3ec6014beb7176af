import * as v from 'valibot'
import { notArray } from '../../../0-contracts/src/index.js'
import type { PromptReport } from '../batch/index.js'
import {
  CARRIED, counted, duration, FAILURE, NETWORK, OBJECT_LINE, readForm, TOOLSETS, WORKER, WORKSPACE,
  type JobKind,
} from '../jobs/index.js'
import { parsedJson } from '../../../6-replay/src/index.js'

const text = v.string()
const flag = v.boolean()
const count = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1e9))
const amount = v.pipe(v.number(), v.minValue(0), v.maxValue(1e9))

/** How to run a prompt. Contains no key and no path of this machine; a worker asks only its own server. */
const SETTINGS = v.strictObject({
  workspace: WORKSPACE,
  /** The base URL that the batch was planned with. */
  server: v.pipe(text, v.maxLength(2048)),
  agent: v.strictObject({
    model: v.pipe(text, v.minLength(1)),
    style: v.picklist(['native', 'blocks']),
    maxTurns: v.optional(count),
    contextWindow: v.optional(count),
    disabledToolsets: v.optional(TOOLSETS),
    price: v.optional(v.strictObject({ input: amount, output: amount, cached: v.optional(amount) })),
  }),
  execution: v.strictObject({
    toolsets: v.optional(TOOLSETS),
    sandbox: v.optional(v.picklist(['auto', 'bwrap', 'unshare', 'none'])),
    network: v.optional(NETWORK),
    gitCommit: v.optional(flag),
    yes: v.optional(flag),
  }),
})
export type PromptSettings = v.InferOutput<typeof SETTINGS>

const JOB = v.strictObject({ version: v.literal(1), name: text, settings: SETTINGS, prompt: CARRIED })
/** A job on the queue: one prompt to run. */
export type PromptJob = v.InferOutput<typeof JOB>

const PROMPT = v.strictObject({ prompt: v.pipe(text, v.minLength(1)), systemPrompt: v.optional(text) })
/** The text for the model, with its settings. */
export type PromptText = v.InferOutput<typeof PROMPT>

const ANSWER = v.strictObject({
  version: v.literal(1), worker: WORKER, ran: CARRIED,
  // Another worker may succeed: this one refused the job, or could not send its result.
  unrun: v.optional(v.literal(true)),
})
/** The answer to a job. */
export type PromptAnswer = v.InferOutput<typeof ANSWER>

/** Without the prompt's name and line, which the producer knows better. Unknown fields are dropped. */
const RAN = notArray(v.object({
  report: notArray(v.object({
    counts: v.strictObject({ turns: counted, calls: counted, failures: counted }),
    tools: notArray(v.record(text, v.strictObject({ calls: counted, success: counted, failure: counted }))),
    usage: v.strictObject({ input: counted, output: counted, cached: v.optional(counted), cost: v.optional(amount) }),
    reason: v.optional(v.picklist(['answer', 'max_turns', 'length', 'cancelled', 'loop'])),
    error: v.optional(FAILURE),
    durationMs: duration,
  })),
  trajectory: v.optional(OBJECT_LINE),
}))
/** A worker's report of a prompt it ran. */
export interface ToldRun {
  report: Omit<PromptReport, 'id' | 'name' | 'line' | 'drifted' | 'toolsets'>
  trajectory?: string | undefined
}

/** Kind of jobs: prompts. */
export const PROMPT_JOBS: JobKind<PromptJob, PromptAnswer> = {
  queue: 'hermes-batch', job: 'prompt', what: 'prompts', workerCommand: 'hermes worker --prompts --queue …',
  readJob: (data) => readForm(JOB, data, 'A job'),
  readAnswer: (data) => readForm(ANSWER, data, 'An answer'),
}

/** @throws HermesError `INVALID_JOB` */
export function readPrompt(json: string): PromptText {
  return readForm(PROMPT, parsedJson(json), 'A prompt')
}

/** @throws HermesError `INVALID_JOB` */
export function readRan(json: string): ToldRun {
  const ran = readForm(RAN, parsedJson(json), 'A result')
  // Exactly one of them: a conversation that ended, or the error.
  return readForm(
    v.custom<ToldRun>(() => (ran.report.error === undefined) === (ran.trajectory !== undefined)), ran, 'A result',
  )
}
