import { getDotPath, safeParse, type BaseIssue, type GenericSchema } from 'valibot'
import type { AnyVerb, BlockFormat, ErrorCode } from '../../contracts/src/index.js'
import { clip, nearest } from '../../text/src/index.js'
import { parameterDefinitions, type ParameterDefinitions } from './parameters.js'
import { absoluteHint, isAbsolutePath, type PathRules } from './path-format.js'
import { convertValue, missingParameters, TransformError } from './sham-action.js'

export type CallValidation =
  /** `warning`: what was ignored, for the result's hint. */
  | { ok: true; args: unknown; warning?: string }
  | { ok: false; code: ErrorCode; message: string; hint?: string }

/** Properties of SHAM blocks that are no parameters. */
function isAnnotation(name: string): boolean {
  return name === 'action' || name.startsWith('@')
}

/**
 * Checks and converts the parameters of one call: presence, strings to types for SHAM/NESL, paths, unknown names, and
 * last the verb's own schema with its defaults. The messages are those the seeds fix (contract section 2).
 */
export function validateCall(verb: AnyVerb, format: BlockFormat, params: Record<string, unknown>, rules: PathRules): CallValidation {
  const definitions = parameterDefinitions(verb.args)
  const isSham = format === 'sham' || format === 'nesl'
  const given = Object.entries(params).filter(([name]) => !(isSham && isAnnotation(name)))
  const unknown = given.map(([name]) => name).filter((name) => !Object.hasOwn(definitions, name))
  const [missing] = missingParameters(definitions, params)
  if (missing !== undefined) return missingParameter(verb, definitions, missing, unknown)
  if (unknown.length > 0 && !isSham) return unknownParameter(verb, definitions, unknown)
  const values: Record<string, unknown> = {}
  for (const [name, value] of given) {
    const definition = Object.hasOwn(definitions, name) ? definitions[name]! : undefined
    if (!definition) continue
    if (typeof value === 'string' && !value.isWellFormed()) return loneSurrogate(name)
    const isPath = definition.format === 'absolute_path'
    if (isPath && typeof value === 'string' && !rules.relativePaths && !isAbsolutePath(value)) {
      const hint = absoluteHint(value, rules)
      return { ok: false, code: 'INVALID_PARAMETER', message: `Invalid absolute path: ${value}`, hint }
    }
    try {
      values[name] = isSham && typeof value === 'string' && !isPath ? convertValue(name, value, definition) : value
    } catch (error) {
      if (!(error instanceof TransformError)) throw error
      return { ok: false, code: 'INVALID_PARAMETER', message: error.message, hint: expectation(name, definition) }
    }
  }
  const parsed = safeParse(verb.args as GenericSchema, values)
  if (!parsed.success) return schemaIssue(parsed.issues[0], definitions)
  return { ok: true, args: parsed.output, ...(unknown.length > 0 && { warning: ignored(unknown, definitions) }) }
}

function missingParameter(verb: AnyVerb, definitions: ParameterDefinitions, missing: string, unknown: readonly string[]): CallValidation {
  const meant = nearest(missing, unknown)
  const list = signature(definitions)
  return {
    ok: false,
    code: 'MISSING_PARAMETER',
    message: `Missing required parameter: ${missing}`,
    hint: meant === undefined ? `Add ${missing}${aboutParameter(definitions[missing])} ${verb.name} takes ${list}.` : `Write ${missing} instead of ${meant}; ${verb.name} takes ${list}.`,
  }
}

function aboutParameter(definition: ParameterDefinitions[string] | undefined): string {
  return definition?.description === undefined ? '.' : `: ${definition.description}`
}

function unknownParameter(verb: AnyVerb, definitions: ParameterDefinitions, unknown: readonly string[]): CallValidation {
  const name = unknown[0]!
  const meant = nearest(name, Object.keys(definitions))
  return {
    ok: false,
    code: 'UNKNOWN_PARAMETER',
    message: `Unknown parameter: ${name}`,
    hint: `${meant === undefined ? '' : `Write ${meant}. `}${verb.name} takes ${signature(definitions) || 'no parameters'}.`,
  }
}

function ignored(unknown: readonly string[], definitions: ParameterDefinitions): string {
  const parts = unknown.map((name) => {
    const meant = nearest(name, Object.keys(definitions))
    return meant === undefined ? name : `${name} (did you mean ${meant}?)`
  })
  return `Unknown parameter${unknown.length === 1 ? '' : 's'} ignored: ${parts.join(', ')}`
}

/** Half of a surrogate pair has no UTF-8 form: writing it would put something else into the file. */
function loneSurrogate(name: string): CallValidation {
  return {
    ok: false,
    code: 'INVALID_PARAMETER',
    message: `Invalid value for ${name}: half of a surrogate pair`,
    hint: 'Write the character itself, or both \\u escapes of its pair.',
  }
}

/** `path, content, count?` */
function signature(definitions: ParameterDefinitions): string {
  return Object.entries(definitions).map(([name, { required }]) => (required ? name : `${name}?`)).join(', ')
}

function expectation(name: string, definition: ParameterDefinitions[string]): string {
  if (definition.type === 'enum') return `Write one of: ${definition.values?.join(', ') ?? ''}.`
  if (definition.type === 'boolean') return `${name} is true or false.`
  return `${name} is ${/^[aeiou]/.test(definition.type) ? 'an' : 'a'} ${definition.type}.`
}

function schemaIssue(issue: BaseIssue<unknown>, definitions: ParameterDefinitions): CallValidation {
  const path = getDotPath(issue) ?? ''
  const definition = Object.hasOwn(definitions, path) ? definitions[path] : undefined
  if (issue.type === 'strict_object') {
    return { ok: false, code: 'UNKNOWN_PARAMETER', message: `Unknown parameter: ${path}`, hint: 'Leave it out.' }
  }
  if (issue.type === 'picklist' && definition?.values) {
    return {
      ok: false,
      code: 'INVALID_PARAMETER',
      message: `Invalid enum value: ${shown(issue.input)}. Allowed: ${definition.values.join(', ')}`,
      hint: expectation(path, definition),
    }
  }
  const hint = definition?.description === undefined ? '' : `${path}: ${definition.description}`
  return {
    ok: false,
    code: 'INVALID_PARAMETER',
    message: `Invalid value for ${path || 'the arguments'}: ${issue.message.replace(/^Invalid \w+: /, '')}`,
    ...(hint && { hint }),
  }
}

function shown(value: unknown): string {
  return clip(typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)), 80)
}
