import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import * as v from 'valibot'
import { inParent, outputTarget, writeOwn } from '../../../2-files/src/index.js'
import { HermesError, isNodeError, isRecord, nestsDeeper } from '../../../0-contracts/src/index.js'
import { digestOf, sha256 } from './digest.js'
import { PLAN, PLAN_VERSION, type Plan } from './plan-schema.js'

/** Larger files are not read, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024
const AGAIN = 'Make the plan again: hermes apply ANSWER --dry-run --plan FILE.'

/**
 * Writes a plan, atomically and readable by its owner only, since it holds the whole answer.
 *
 * @throws HermesError with Node's code, `POLICY_DENIED` for a link in a place where runs write
 */
export function writePlan(file: string, plan: Plan): void {
  try {
    // Refuses a link that a command may have left; another link is replaced.
    outputTarget(file)
    const place = join(outputTarget(dirname(resolve(file))), basename(file))
    inParent(place, 'open', (held) => writeOwn(held, `${JSON.stringify(plan, undefined, 2)}\n`))
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw new HermesError(error.code, `Cannot write the plan ${file} (${error.code})`, {
      hint: 'Name a file in a directory that exists and that you may write.', cause: error,
    })
  }
}

/** @throws HermesError `INVALID_PLAN`, `ENOENT` and the like */
export function readPlan(file: string): Plan {
  const value = jsonOf(textOf(file), file)
  if (isRecord(value) && 'hermesPlan' in value && value['hermesPlan'] !== PLAN_VERSION) {
    throw invalid(`${file} is a plan of version ${String(value['hermesPlan'])}; this hermes reads ${PLAN_VERSION}`)
  }
  const checked = v.safeParse(PLAN, value)
  if (!checked.success) {
    const [issue] = checked.issues
    const is = issue.expected === null ? 'cannot be' : `should be ${issue.expected}, not`
    throw invalid(`${file} is no plan: ${v.getDotPath(issue) ?? 'it'} ${is} ${issue.received}`.slice(0, 500))
  }
  const { digest, ...rest } = checked.output
  if (digestOf(rest) !== digest || sha256(rest.answer.text) !== rest.answer.sha256) {
    throw invalid(`${file} was changed since it was made: its digest does not fit`)
  }
  return checked.output
}

function textOf(file: string): string {
  try {
    // Without blocking: a pipe in its place would wait for a writer.
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stats = fstatSync(descriptor)
      if (!stats.isFile()) throw invalid(`${file} is not a file`)
      if (stats.size > MOST_BYTES) throw invalid(`${file} is larger than ${MOST_BYTES / 2 ** 20} MB`)
      return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(descriptor))
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (error instanceof TypeError) throw invalid(`${file} is not valid UTF-8`)
    if (!isNodeError(error)) throw error
    throw new HermesError(error.code, `Cannot read the plan ${file} (${error.code})`, { hint: AGAIN, cause: error })
  }
}

function jsonOf(text: string, file: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (nestsDeeper(value)) throw invalid(`${file} is nested too deeply`)
    return value
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) throw invalid(`${file} is not JSON`)
    throw error
  }
}

function invalid(message: string): HermesError {
  return new HermesError('INVALID_PLAN', message, { hint: AGAIN })
}
