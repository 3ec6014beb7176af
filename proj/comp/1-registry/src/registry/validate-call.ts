import { safeParse, type GenericSchema } from 'valibot'
import {
  caught, HermesError, isRecord, parseJson, type AnyVerb, type BlockFormat,
} from '../../../0-contracts/src/index.js'
import { clip, nearest } from '../../../0-text/src/index.js'
import type { CallError } from './call-error.js'
import { meantParameter } from './meant-parameter.js'
import { parameterDefinitions, type ParameterDefinition, type ParameterDefinitions } from './parameters.js'
import { absoluteHint, isAbsolutePath, type PathRules } from './path-format.js'
import { schemaIssue } from './schema-issue.js'
import { shapeOf } from './schema-shape.js'
import { convertValue, missingParameters, TransformError } from './sham-action.js'

/** Objects with these keys cannot be told from what JavaScript adds to every object, and valibot drops them. */
const RESERVED = new Set(['__proto__', 'constructor', 'prototype'])

/** Half of a surrogate pair has no UTF-8 form: writing it would put something else into the file. */
const LONE_SURROGATE = [
  'half of a surrogate pair', 'Write the character itself, or both \\u escapes of its pair.',
] as const

/** Arguments of a call as its handler gets them, or all that is wrong with them. */
export type CallValidation =
  /** `warning`: what was ignored, for the result's hint. */
  | { ok: true; args: unknown; warning?: string }
  /** The first error, and all of them. */
  | ({ ok: false; errors: readonly CallError[] } & CallError)

/** Definition of a parameter that the verb accepts without declaring it. */
const ANY: ParameterDefinition = { type: 'string', required: false }

/**
 * Validates and converts the parameters of one call: presence, strings to types for SHAM/NESL, paths, unknown names,
 * and finally the verb's own schema with its defaults.
 *
 * @param textValues the dialect writes no types: strings stand for what the schema says
 * @param params anything; non-objects are refused
 */
export function validateCall(
  verb: AnyVerb, format: BlockFormat, params: unknown, rules: PathRules, textValues = false,
): CallValidation {
  const judged = judgeCall(verb, format, params, rules, textValues)
  if (judged.ok) {
    const { unknown: _, ...valid } = judged
    return valid
  }
  const errors = judged.errors.map(plainError)
  const first = errors[0] ?? { code: 'INVALID_PARAMETER', message: 'Invalid arguments' }
  return { ok: false, ...first, errors }
}

function plainError({ code, message, hint }: CallError | HermesError): CallError {
  return hint === undefined ? { code, message } : { code, message, hint }
}

/** An error, and the part of the call it concerns. */
export interface Fault extends CallError {
  /** Parameter with a wrong value. */
  parameter?: string
  /** A wrong name in the call, and the correct one. */
  rename?: readonly [from: string, to: string]
}

type Judged =
  /** `unknown`: ignored names, with the parameters they may stand for. */
  | (Extract<CallValidation, { ok: true }> & { unknown: readonly Meaning[] })
  | { ok: false; errors: readonly Fault[] }

/** As `validateCall`, with the part of the call that each error concerns. */
export function judgeCall(
  verb: AnyVerb, format: BlockFormat, params: unknown, rules: PathRules, textValues = false,
): Judged {
  if (!isRecord(params)) return { ok: false, errors: [notAnObject(verb, params)] }
  const definitions = parameterDefinitions(verb.args)
  const isSham = format === 'sham' || format === 'nesl'
  // These properties of a SHAM block are no parameters.
  const given = Object.entries(params).filter(([name]) => !isSham || (name !== 'action' && !name.startsWith('@')))
  const isOpen = shapeOf(verb.args).type === 'loose_object'
  const unknown = isOpen ? [] : given.map(([name]) => name).filter((name) => !Object.hasOwn(definitions, name))
  const known = Object.keys(definitions)
  const present = given.map(([name]) => name)
  const meanings = unknown.map((name) => ({ name, meant: meantParameter(name, known, present) }))
  const errors: Fault[] = missingParameters(definitions, params)
    .map((name) => missingParameter(verb, definitions, name, meanings))
  if (!isSham) errors.push(...meanings.map(({ name, meant }) => unknownParameter(verb, definitions, name, meant)))
  const values: Record<string, unknown> = {}
  for (const [name, value] of given) {
    const definition = Object.hasOwn(definitions, name) ? definitions[name] : isOpen ? ANY : undefined
    if (!definition) continue
    const meant = textValues ? fromText(value, definition) : value
    const converted = convert(name, meant, definition, isSham || textValues, rules)
    if (converted.error) errors.push({ ...converted.error, parameter: name })
    else values[name] = converted.value
  }
  const parsed = safeParse(verb.args as GenericSchema, values)
  if (!parsed.success) {
    const issues = parsed.issues.filter(({ path }) => path === undefined || Object.hasOwn(values, String(path[0].key)))
    errors.push(...issues.map((issue) => ({
      ...schemaIssue(issue, definitions), ...(issue.path?.length === 1 && { parameter: String(issue.path[0].key) }),
    })))
  }
  if (errors.length > 0 || !parsed.success) return { ok: false, errors }
  const broken = brokenRule(verb, parsed.output)
  if (broken) return { ok: false, errors: [broken] }
  const warning = unknown.length > 0 ? { warning: ignored(meanings, definitions) } : {}
  return { ok: true, args: parsed.output, unknown: meanings, ...warning }
}

/** The error of the verb's own check for arguments that match its schema. */
function brokenRule(verb: AnyVerb, args: unknown): CallError | undefined {
  return caught(HermesError, () => {
    verb.check?.(args as never)
    return undefined
  }, plainError)
}

/** Converts one value to its schema's type. */
function convert(
  name: string, value: unknown, definition: ParameterDefinition, isSham: boolean, rules: PathRules,
): { value?: unknown; error?: CallError } {
  const unusable = unusableValue(name, value)
  if (unusable) return { error: unusable }
  const isPath = definition.format === 'absolute_path'
  if (isPath && typeof value === 'string' && !rules.relativePaths && !isAbsolutePath(value)) {
    const hint = absoluteHint(value, rules)
    return { error: { code: 'INVALID_PARAMETER', message: `Invalid absolute path: ${value}`, hint } }
  }
  if (!isSham || typeof value !== 'string' || isPath) return { value }
  try {
    const converted = convertValue(name, value, definition)
    // Keys in a JSON text are as untrusted as those of an envelope.
    const error = definition.type === 'object' ? unusableValue(name, converted) : undefined
    return error ? { error } : { value: converted }
  } catch (error) {
    if (!(error instanceof TransformError)) throw error
    return { error: { code: 'INVALID_PARAMETER', message: error.message, hint: expectation(name, definition) } }
  }
}

/** Parses a value other than a string as chat templates write it: JSON, or Python's names. */
function fromText(value: unknown, { type }: ParameterDefinition): unknown {
  if (typeof value !== 'string' || type === 'string' || type === 'enum') return value
  const text = value.trim()
  if (type === 'boolean') return /^(?:true|false)$/i.test(text) ? text.toLowerCase() : value
  const parsed = parseJson(text)
  return typeof parsed === 'object' && parsed !== null ? parsed : text
}

function notAnObject(verb: AnyVerb, params: unknown): CallError {
  const kind = Array.isArray(params) ? 'a list' : params === undefined ? 'nothing' : clip(JSON.stringify(params), 80)
  const example = verb.examples.map((candidate) => JSON.stringify(candidate)).find((text) => text.length <= 200)
  return {
    code: 'INVALID_PARAMETER',
    message: `The arguments of ${verb.name} must be an object, got ${kind}`,
    hint: example === undefined ? takes(verb) : `Write ${example}.`,
  }
}

/** An unknown name, and the parameter it stands for. */
interface Meaning {
  name: string
  meant: string | undefined
}

function missingParameter(
  verb: AnyVerb, definitions: ParameterDefinitions, missing: string, unknown: readonly Meaning[],
): Fault {
  const [list, about] = [signature(definitions), definitions[missing]?.description]
  const written = unknown.find(({ meant }) => meant === missing)?.name
  const like = written ?? nearest(missing, unknown.map(({ name }) => name))
  return {
    code: 'MISSING_PARAMETER',
    message: `Missing required parameter: ${missing}`,
    hint: like === undefined
      ? `Add ${missing}${about === undefined ? '.' : `: ${about}`} ${verb.name} takes ${list}.`
      : `Write ${missing} instead of ${like}; ${verb.name} takes ${list}.`,
    ...(written !== undefined && { rename: [written, missing] as const }),
  }
}

function unknownParameter(
  verb: AnyVerb, definitions: ParameterDefinitions, name: string, meant: string | undefined,
): Fault {
  const like = meant ?? nearest(name, Object.keys(definitions))
  return {
    code: 'UNKNOWN_PARAMETER',
    message: `Unknown parameter: ${name}`,
    hint: `${like === undefined ? '' : `Write ${like}. `}${takes(verb)}`,
    ...(meant !== undefined && { rename: [name, meant] as const }),
  }
}

function ignored(unknown: readonly Meaning[], definitions: ParameterDefinitions): string {
  const parts = unknown.map(({ name, meant }) => {
    const like = meant ?? nearest(name, Object.keys(definitions))
    return like === undefined ? name : `${name} (did you mean ${like}?)`
  })
  return `Unknown parameter${unknown.length === 1 ? '' : 's'} ignored: ${parts.join(', ')}`
}

/** `file_write takes path, content.` */
export function takes({ name, args }: Pick<AnyVerb, 'name' | 'args'>): string {
  return `${name} takes ${signature(parameterDefinitions(args)) || 'no parameters'}.`
}

/** `path, content, count?` */
function signature(definitions: ParameterDefinitions): string {
  return Object.entries(definitions).map(([name, { required }]) => (required ? name : `${name}?`)).join(', ')
}

function expectation(name: string, { type, values }: ParameterDefinition): string {
  switch (type) {
    case 'enum': return `Write one of: ${values?.join(', ') ?? ''}.`
    case 'boolean': return `${name} is true or false.`
    case 'object': return `${name} is the JSON text of an object, e.g. ${name} = "{\\"NAME\\": \\"value\\"}".`
    default: return `${name} is ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}.`
  }
}

/** What no verb can use, at any depth of an argument: halves of surrogate pairs, and keys that would be lost. */
function unusableValue(name: string, value: unknown): CallError | undefined {
  const waiting: [place: string, value: unknown][] = [[name, value]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [place, item] = next
    if (typeof item === 'string' && !item.isWellFormed()) return invalid(place, ...LONE_SURROGATE)
    if (typeof item !== 'object' || item === null) continue
    for (const [key, each] of Object.entries(item)) {
      if (!key.isWellFormed()) return invalid(`a name in ${place}`, ...LONE_SURROGATE)
      if (RESERVED.has(key)) return invalid(place, `the name ${key} cannot be used`, 'Use another name.')
      if (typeof each === 'string' ? each.isWellFormed() : typeof each !== 'object') continue
      waiting.push([`${place}.${clip(key, 80)}`, each])
    }
  }
  return undefined
}

function invalid(place: string, why: string, hint: string): CallError {
  return { code: 'INVALID_PARAMETER', message: `Invalid value for ${place}: ${why}`, hint }
}
