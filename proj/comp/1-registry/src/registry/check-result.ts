import { getDotPath, safeParse, type BaseIssue } from 'valibot'
import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { clip } from '../../../0-text/src/index.js'
import { plainCopy } from './plain-copy.js'
import { shapeOf } from './schema-shape.js'

const LONGEST_VALUE = 80

/** `problem`: what is wrong, and the field. */
export type CheckedResult = { ok: true; data: unknown } | { ok: false; problem: string }

/**
 * Validates the value that a handler returned by the verb's result schema.
 *
 * @returns `data`: a plain copy with the schema's defaults, which can be serialized to JSON, a report or another
 *   process
 */
export function checkResult(verb: Pick<AnyVerb, 'result'>, returned: unknown): CheckedResult {
  const copy = plainCopy(returned)
  if (!copy.ok) {
    return { ok: false, problem: `${copy.place === '' ? 'it' : copy.place} ${copy.problem}, which JSON cannot say` }
  }
  // Valibot's object schemas also accept lists.
  if (Array.isArray(copy.value) && shapeOf(verb.result).entries !== undefined) {
    return { ok: false, problem: 'expected an object, got a list' }
  }
  const parsed = safeParse(verb.result, copy.value, { abortEarly: true })
  if (parsed.success) return { ok: true, data: parsed.output }
  return { ok: false, problem: issueWords(parsed.issues[0]) }
}

/** `entries.0.name: expected string, got 5` */
function issueWords(issue: BaseIssue<unknown>): string {
  const place = getDotPath(issue) ?? ''
  const field = place === '' ? '' : `${clip(place, LONGEST_VALUE)}: `
  if (issue.expected === 'never') return `${field}the schema has no such field`
  if (issue.received === 'undefined') return `${field}it is missing`
  const { expected, received, message } = issue
  // Custom checks have their own messages.
  if (expected === null) return `${field}${clip(message, 2 * LONGEST_VALUE)}`
  return `${field}expected ${clip(expected, LONGEST_VALUE)}, got ${clip(received, LONGEST_VALUE)}`
}
