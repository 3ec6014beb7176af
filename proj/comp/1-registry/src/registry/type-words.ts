import type { JsonSchema } from './json-schema.js'
import type { ParameterDefinition, ParameterType } from './parameters.js'

type Words = Omit<ParameterDefinition, 'required'>

const PLURALS: Readonly<Record<ParameterType, string>> = {
  string: 'strings', integer: 'integers', number: 'numbers', boolean: 'booleans', enum: 'values', array: 'lists',
  object: 'objects',
}

/** Describes a parameter's type for people: `path`, `integer from 1 to 3600`, `string of 1 to 500 characters`. */
export function parameterInWords({ type, format, values, items, ...bounds }: Words): string {
  if (values) return values.join(' | ')
  if (format === 'absolute_path') return 'absolute path'
  if (format === 'path') return 'path'
  if (type === 'array') return `list of ${PLURALS[items ?? 'object']}`
  if (type === 'object' && items !== undefined) return `object of ${PLURALS[items]}`
  if (type === 'string') return `string${inWords('of', bounds.minLength, bounds.maxLength, ' characters')}`
  return `${type}${inWords('from', bounds.minimum, bounds.maximum, '')}`
}

function inWords(word: string, min: number | undefined, max: number | undefined, unit: string): string {
  if (min !== undefined && max !== undefined) return ` ${word} ${min} to ${max}${unit}`
  if (min !== undefined) return word === 'from' ? ` from ${min}` : ` of at least ${min}${unit}`
  return max === undefined ? '' : word === 'from' ? ` up to ${max}` : ` of at most ${max}${unit}`
}

/** Describes the type of a result's field for people. */
export function fieldInWords(schema: JsonSchema): string {
  const options = schema.anyOf ?? schema.oneOf
  if (options) return options.map(fieldInWords).join(' | ')
  if (schema.enum) return schema.enum.map(String).join(' | ')
  if (schema.const !== undefined) return String(schema.const)
  if (schema.type === 'array') return `list of ${pluralOf(schema.items)}`
  if (schema.type !== 'object') return typeof schema.type === 'string' ? schema.type : 'any'
  const { additionalProperties: values } = schema
  return schema.properties === undefined && typeof values === 'object' ? `object of ${pluralOf(values)}` : 'object'
}

function pluralOf(schema: JsonSchema | undefined): string {
  const type = schema?.enum ? 'enum' : schema?.type
  return typeof type === 'string' && Object.hasOwn(PLURALS, type) ? PLURALS[type as ParameterType] : 'values'
}

/** A text with each row of white space as one blank. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

/** The first sentence of a description, for lists; cut before a colon or semicolon. */
export function firstSentence(text: string): string {
  return /^.*?(?:(?<=.{8})[:;]|(?<!e\.g|i\.e)\.)(?=\s|$)/.exec(text)?.[0].replace(/[:;]$/, '.') ?? text
}
