import { isRecord, parseJson, unlessThrown } from '../../../0-contracts/src/index.js'
import { clip } from '../../../0-text/src/index.js'
import type { ParameterDefinition, ParameterDefinitions } from './parameters.js'
import { isAbsolutePath } from './path-format.js'

/** A parsed SHAM block, with string values only. */
export interface ShamBlock {
  id: string
  properties: Record<string, string>
  startLine: number
  endLine: number | null
}

/** The part of an action's definition that conversion needs. */
export interface ActionDefinition {
  type: string
  description?: string
  parameters: ParameterDefinitions
}

/** Result of checking a SHAM block. */
export interface ShamValidation {
  valid: boolean
  actionType?: string
  errors: string[]
}

/** A SHAM block converted to an action with typed parameters. */
export interface CladaAction {
  action: string
  parameters: Record<string, unknown>
  metadata: { blockId: string; startLine: number; endLine: number }
}

/** A value that cannot be converted to its parameter's type. */
export class TransformError extends Error {
  constructor(
    message: string, readonly parameterName: string, readonly expectedType: string, readonly actualValue: string,
  ) {
    super(message)
    this.name = 'TransformError'
  }
}

/** Checks presence only: the action is given and known, and all required parameters are given. */
export function validateShamBlock(
  block: Pick<ShamBlock, 'properties'>, definition: ActionDefinition | null,
): ShamValidation {
  const action = own(block.properties, 'action')
  if (action === undefined || action === '') return { valid: false, errors: ["Missing 'action' field in SHAM block"] }
  if (!definition) return { valid: false, errors: [`Unknown action: ${action}`] }
  const errors = missingParameters(definition.parameters, block.properties)
    .map((name) => `Missing required parameter: ${name}`)
  return errors.length > 0 ? { valid: false, errors } : { valid: true, actionType: action, errors: [] }
}

/** Names of missing required parameters, in declaration order. */
export function missingParameters(definitions: ParameterDefinitions, given: Record<string, unknown>): string[] {
  return Object.keys(definitions).filter((name) => definitions[name]!.required && !Object.hasOwn(given, name))
}

/**
 * Converts the strings of a validated block to the types of its action. Properties that are no parameters (annotations)
 * are dropped.
 *
 * @throws TransformError when a value cannot be converted
 */
export function transformToAction(block: ShamBlock, definition: ActionDefinition): CladaAction {
  const parameters: Record<string, unknown> = {}
  for (const [name, parameter] of Object.entries(definition.parameters)) {
    const value = own(block.properties, name)
    if (value !== undefined) parameters[name] = convertValue(name, value, parameter)
    else if (parameter.default !== undefined) parameters[name] = parameter.default
  }
  return {
    action: own(block.properties, 'action') ?? '',
    parameters,
    metadata: { blockId: block.id, startLine: block.startLine, endLine: block.endLine ?? block.startLine },
  }
}

/** A number in JSON notation. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * Converts a string to its parameter's type. A list has one item a line, or is a JSON list of strings; an object is
 * JSON.
 *
 * @throws TransformError
 */
export function convertValue(name: string, value: string, parameter: ParameterDefinition): unknown {
  const { type, values, format } = parameter
  const invalid = (message = `${type} value: ${value}`, wanted: string = type): TransformError => (
    new TransformError(`Invalid ${message}`, name, wanted, value)
  )
  switch (type) {
    case 'integer': {
      const number = Number(value)
      if (!Number.isSafeInteger(number) || String(number) !== value.trim()) throw invalid()
      return number
    }
    case 'number':
      if (NUMBER.test(value.trim()) && Number.isFinite(Number(value))) return Number(value)
      throw invalid()
    case 'boolean':
      if (value === 'true') return true
      if (value === 'false') return false
      throw invalid()
    case 'enum':
      if (values?.includes(value)) return value
      throw invalid(`enum value: ${value}. Allowed: ${values?.join(', ') ?? ''}`)
    case 'array':
      return jsonList(value) ?? value.split('\n').filter((line) => line.trim() !== '')
    case 'object': {
      const parsed = parseJson(value)
      if (isRecord(parsed)) return parsed
      throw invalid(`object value: ${clip(value, 80)}`)
    }
    default:
      if (format === 'absolute_path' && !isAbsolutePath(value)) throw invalid(`absolute path: ${value}`, format)
      return value
  }
}

/** Converts the text of a number or boolean, since XML only has texts; other values stay as they are. */
export function convertText(value: unknown, parameter: ParameterDefinition): unknown {
  if (typeof value !== 'string' || !['integer', 'number', 'boolean'].includes(parameter.type)) return value
  return unlessThrown(TransformError, () => convertValue('', value, parameter), value)
}

/** A JSON list of strings; else `undefined`: `[id].ts` is a file name. */
function jsonList(value: string): string[] | undefined {
  const parsed = /^\s*\[[^]*\]\s*$/.test(value) ? parseJson(value) : undefined
  return Array.isArray(parsed) && parsed.every((item) => typeof item === 'string') ? parsed : undefined
}

function own(properties: Record<string, string>, name: string): string | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined
}
