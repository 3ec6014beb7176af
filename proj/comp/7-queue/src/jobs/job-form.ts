import * as v from 'valibot'
import {
  HermesError, isRecord, MOST_NESTING, nestsDeeper, problemOfHost, type NetworkReach,
} from '../../../0-contracts/src/index.js'
import { isContentAddress } from '../../../2-files/src/index.js'
import { parsedJson } from '../../../6-replay/src/index.js'

/** Address of content in a store. */
export const address = v.pipe(v.string(), v.check(isContentAddress))

/** Largest count in an answer, so that sums stay exact. */
const MOST_COUNTED = 1e9
export const counted = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MOST_COUNTED))
export const duration = v.pipe(v.number(), v.minValue(0), v.maxValue(MOST_COUNTED * 1000))

/** Longest text sent through the queue without a store, in bytes, since Redis holds it in memory. */
export const MOST_BY_QUEUE = 1024 * 1024

/** Small texts go through the queue, others through the store. */
export const CARRIED = v.variant('kind', [
  v.strictObject({ kind: v.literal('here'), text: v.pipe(v.string(), v.maxLength(MOST_BY_QUEUE)) }),
  v.strictObject({ kind: v.literal('content'), content: address }),
])
export type Carried = v.InferOutput<typeof CARRIED>

/** Initial content of a workspace: never a path, which would be read from the worker's disk. */
export const WORKSPACE = v.variant('kind', [
  v.strictObject({ kind: v.literal('empty') }),
  v.strictObject({ kind: v.literal('tree'), content: address }),
])

/** Network access of commands; a list names hosts. */
export const NETWORK = v.union([
  v.boolean(), v.array(v.pipe(v.string(), v.check((host) => problemOfHost(host) === undefined))),
])

/** The library's option in the form for a job. */
export function carriedNetwork(network: NetworkReach | undefined): boolean | string[] | undefined {
  return network === undefined || network === false ? undefined : network === true || [...network]
}

/** Names of toolsets; messages repeat them. */
export const TOOLSETS = v.array(v.pipe(v.string(), v.maxLength(256)))

/** Name of a worker. */
export const WORKER = v.pipe(v.string(), v.maxLength(256))

/** Why something failed. */
export const FAILURE = v.strictObject({
  code: v.pipe(v.string(), v.regex(/^[A-Z][A-Z\d_]{0,63}$/)), message: v.string(), hint: v.optional(v.string()),
})

/** A line of training data: a JSON object. */
export const OBJECT_LINE = v.pipe(v.string(), v.check(isJsonObjectLine))

/** Most levels of nesting: a text in a record may hold JSON that is as deep again. */
const MOST_LEVELS = 2 * MOST_NESTING

/**
 * Checks data from a queue or a store against its schema.
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

function isJsonObjectLine(line: string): boolean {
  if (line.includes('\n')) return false
  const value = parsedJson(line)
  return isRecord(value) && !nestsDeeper(value, MOST_LEVELS)
}
