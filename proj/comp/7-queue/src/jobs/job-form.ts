import * as v from 'valibot'
import { HermesError, isRecord, MOST_NESTING, nestsDeeper } from '../../../0-contracts/src/index.js'
import { isContentAddress } from '../../../2-files/src/index.js'

/** Where something is in a store. */
export const address = v.pipe(v.string(), v.check(isContentAddress))

/** Of an answer: no sum of them is beyond what a number holds exactly. */
const MOST_COUNTED = 1e9
export const counted = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MOST_COUNTED))
export const duration = v.pipe(v.number(), v.minValue(0), v.maxValue(MOST_COUNTED * 1000))

/** Longest text that goes by the queue where there is no store, in bytes: Redis holds it in memory. */
export const MOST_BY_QUEUE = 1024 * 1024

/** What goes by the queue is small; the rest is in the store. */
export const CARRIED = v.variant('kind', [
  v.strictObject({ kind: v.literal('here'), text: v.pipe(v.string(), v.maxLength(MOST_BY_QUEUE)) }),
  v.strictObject({ kind: v.literal('content'), content: address }),
])
export type Carried = v.InferOutput<typeof CARRIED>

/** What a workspace starts from: never a path, which would be read from the worker's disk. */
export const WORKSPACE = v.variant('kind', [
  v.strictObject({ kind: v.literal('empty') }),
  v.strictObject({ kind: v.literal('tree'), content: address }),
])

/** Names of toolsets, which messages repeat. */
export const TOOLSETS = v.array(v.pipe(v.string(), v.maxLength(256)))

/** Name of a worker. */
export const WORKER = v.pipe(v.string(), v.maxLength(256))

/** Why something did not come to its end. */
export const FAILURE = v.strictObject({
  code: v.pipe(v.string(), v.regex(/^[A-Z][A-Z\d_]{0,63}$/)), message: v.string(), hint: v.optional(v.string()),
})

/** A line of training data: an object of JSON. */
export const OBJECT_LINE = v.pipe(v.string(), v.check(isJsonObjectLine))

/** A text of a record may hold JSON of as many levels again. */
const MOST_LEVELS = 2 * MOST_NESTING

/**
 * What came from a queue or a store, as its schema has it.
 *
 * @param what it should be, e.g. `A job`
 * @throws HermesError `INVALID_JOB`
 */
export function readForm<S extends v.GenericSchema>(schema: S, data: unknown, what: string): v.InferOutput<S> {
  const hint = 'Use the same version of hermes for the workers and for what gives them work.'
  if (nestsDeeper(data, MOST_LEVELS)) {
    throw new HermesError(
      'INVALID_JOB', `${what} of the queue is nested more than ${MOST_LEVELS} levels deep`, { hint },
    )
  }
  const { success, output, issues } = v.safeParse(schema, data)
  if (success) return output
  const [issue] = issues
  throw new HermesError(
    'INVALID_JOB',
    `${what} of the queue has not the form of this version (${v.getDotPath(issue) ?? 'it'}: ${issue.type})`, { hint },
  )
}

/** `undefined`, which no schema takes, for what is no JSON. */
export function parsedForm(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}

function isJsonObjectLine(line: string): boolean {
  if (line.includes('\n')) return false
  const value = parsedForm(line)
  return isRecord(value) && !nestsDeeper(value, MOST_LEVELS)
}
