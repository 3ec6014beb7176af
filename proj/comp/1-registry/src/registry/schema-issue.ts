import { getDotPath, type BaseIssue } from 'valibot'
import { clip } from '../../../0-text/src/index.js'
import type { CallError } from './call-error.js'
import type { ParameterDefinition, ParameterDefinitions } from './parameters.js'
import { withoutParents } from './path-format.js'

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string', number: 'a number', boolean: 'true or false', array: 'a list', record: 'an object',
  strict_object: 'an object', object: 'an object', loose_object: 'an object',
}
/** Types with fixed messages for wrong values. */
const SEED_KINDS = new Set(['integer', 'number', 'boolean'])

/** Converts a schema issue of a call to an error: one line, and what to write instead. */
export function schemaIssue(issue: BaseIssue<unknown>, definitions: ParameterDefinitions): CallError {
  const place = getDotPath(issue) ?? ''
  const definition = Object.hasOwn(definitions, place) ? definitions[place] : undefined
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    return { code: 'UNKNOWN_PARAMETER', message: `Unknown parameter: ${place}`, hint: 'Leave it out.' }
  }
  if (issue.kind === 'schema' && issue.input === undefined) {
    return { code: 'MISSING_PARAMETER', message: `Missing required parameter: ${place}`, hint: `Add ${place}.` }
  }
  const { message, hint } = complaint(issue, place, definition)
  const about = definition?.description === undefined ? '' : ` ${place}: ${definition.description}`
  return { code: 'INVALID_PARAMETER', message, hint: `${hint}${about}` }
}

interface Complaint {
  message: string
  hint: string
}

function complaint(issue: BaseIssue<unknown>, place: string, definition: ParameterDefinition | undefined): Complaint {
  const { type, kind, input } = issue
  if (type === 'picklist') return enumComplaint(issue, place, definition)
  if (type === 'integer' || (kind === 'schema' && definition !== undefined && SEED_KINDS.has(definition.type))) {
    const wanted = type === 'integer' ? 'integer' : definition?.type ?? type
    const message = definition === undefined
      ? `Invalid value for ${place}: ${shown(input)} is no integer`
      : `Invalid ${wanted} value: ${shown(input)}`
    return { message, hint: kindHint(place || 'It', wanted, input) }
  }
  const why = kind === 'schema' ? mismatch(issue, definition) : constraint(issue)
  return { message: `Invalid value for ${place || 'the arguments'}: ${why.message}`, hint: why.hint }
}

function enumComplaint(
  { input, expected }: BaseIssue<unknown>, place: string, definition: ParameterDefinition | undefined,
): Complaint {
  const allowed = (definition?.values ?? expected?.replace(/[("')]/g, '').split(' | ') ?? []).join(', ')
  const about = definition === undefined
    ? `Invalid value for ${place}: ${shown(input)}`
    : `Invalid enum value: ${typeof input === 'string' ? clip(input, 80) : shown(input)}`
  return { message: `${about}. Allowed: ${allowed}`, hint: `Write one of: ${allowed}.` }
}

/** Hint for a value of a wrong type, with the corrected value if possible. */
function kindHint(place: string, type: string, input: unknown): string {
  if (type === 'boolean') {
    const mended = /^(?:true|false)$/i.exec(typeof input === 'string' ? input : '')?.[0].toLowerCase()
    return `${place} is true or false${mended === undefined ? '' : `; write ${mended} without quotes`}.`
  }
  const number = typeof input === 'string' && input.trim() !== '' ? Number(input) : undefined
  const fits = number !== undefined && (type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number))
  const kind = type === 'integer' ? 'an integer' : 'a number'
  return `${place} is ${kind}${fits ? `; write ${number} without quotes` : ''}.`
}

function mismatch(
  { type, input, expected }: BaseIssue<unknown>, definition: ParameterDefinition | undefined,
): Complaint {
  const wanted = definition?.type === 'array' && definition.items !== undefined
    ? `a list of ${definition.items}s`
    : KINDS[type] ?? clip(expected ?? 'another value', 80)
  const message = `expected ${wanted}, got ${kindOf(input)}`
  if (input === null && definition?.required === false) return { message, hint: `Write ${wanted}, or leave it out.` }
  if (type === 'array' && typeof input === 'string') {
    return { message, hint: `Write ${clip(JSON.stringify([input]), 80)}.` }
  }
  if (type === 'record') return { message, hint: 'Write an object such as {"NAME": "value"}.' }
  if (type === 'string' && ['number', 'boolean'].includes(typeof input)) {
    // The original notation is lost here: 0755, 1.50.
    return { message, hint: 'Write it in quotes, as it stands there.' }
  }
  return { message, hint: `Write ${wanted}.` }
}

/** The complaint about a value of the right type that is not allowed. */
function constraint(issue: BaseIssue<unknown>): Complaint {
  const { type, requirement, received, input } = issue as BaseIssue<unknown> & { requirement?: unknown }
  const bound = String(requirement)
  switch (type) {
    case 'min_code_points':
      return { message: `${received}, at least ${bound} needed`, hint: `Write at least ${characters(bound)}.` }
    case 'max_code_points':
      return { message: `${received}, at most ${bound} allowed`, hint: `Write at most ${characters(bound)}.` }
    case 'min_value':
      return { message: `${shown(input)} is less than ${bound}`, hint: `Write a number of at least ${bound}.` }
    case 'max_value':
      return { message: `${shown(input)} is more than ${bound}`, hint: `Write a number of at most ${bound}.` }
    case 'regex':
      return { message: reason(issue), hint: patternHint(input, bound) }
    default:
      return { message: reason(issue), hint: 'Write another value.' }
  }
}

function patternHint(input: unknown, pattern: string): string {
  const path = typeof input === 'string' && /(?:^|[/\\])\.\.(?:[/\\]|$)/.test(input) ? withoutParents(input) : undefined
  if (path === undefined) return `It must match ${clip(pattern, 80)}.`
  return path === '' ? 'Write a path inside the root, without "..".' : `Write ${clip(path, 80)}.`
}

/** Valibot's message without its prefix. */
function reason({ message }: BaseIssue<unknown>): string {
  return message.replace(/^Invalid [\w ]+: Expected/, 'expected')
}

function characters(count: string): string {
  return `${count} ${count === '1' ? 'character' : 'characters'}`
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : shown(value)
}

function shown(value: unknown): string {
  return clip(JSON.stringify(value) ?? String(value), 80)
}
