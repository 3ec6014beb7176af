import * as v from 'valibot'
import type { GenericSchema } from 'valibot'
import type { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { isRecord, notArray } from '../../../0-contracts/src/index.js'
import { withJsonSchema, type JsonSchema } from '../../../1-registry/src/index.js'
import { clip, escapeControls } from '../../../0-text/src/index.js'
import { holds, loosened } from './loosen-schema.js'

/** Largest schema, in characters as JSON. */
const MOST_SCHEMA = 200_000
const DEEPEST_SCHEMA = 100
/** Property names that are never accepted, see `validateCall`. */
const UNUSABLE = new Set(['__proto__', 'constructor', 'prototype'])

/** A JSON Schema from elsewhere, and the validator for it. */
export interface GivenSchema {
  schema: Readonly<Record<string, unknown>>
  validator: typeof AjvJsonSchemaValidator
  /** Makes the error for a schema that cannot be used. @param why completes "a schema" */
  unusable: (why: string, cause?: unknown) => Error
}

/**
 * The arguments of a foreign tool as a verb's schema: plain types, by which texts of SHAM blocks are converted, and
 * then the whole JSON Schema as a check.
 *
 * @throws what `unusable` makes, for a schema that cannot be checked
 */
export function argsSchema(given: GivenSchema): GenericSchema {
  const { additionalProperties, properties } = given.schema
  const isClosed = additionalProperties === undefined
    ? isRecord(properties) && Object.keys(properties).length > 0 : additionalProperties === false
  return objectSchema(given, !isClosed || given.schema['patternProperties'] !== undefined)
}

/** A schema for any value that a JSON Schema accepts; for an object, with its fields. @throws as `argsSchema` */
export function valueSchema(given: GivenSchema): GenericSchema {
  if (given.schema['type'] === 'object') return objectSchema(given, given.schema['additionalProperties'] !== false)
  return withJsonSchema(
    v.pipe(v.unknown(), checking<unknown>(compile(given))), shown(given.schema) as JsonSchema,
  )
}

/** @param isOpen whether fields are accepted that the schema does not name */
function objectSchema(given: GivenSchema, isOpen: boolean): GenericSchema {
  const checked = checking<Record<string, unknown>>(compile(given))
  const schema = shown(given.schema) as JsonSchema
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const properties = Object.entries(isRecord(schema.properties) ? schema.properties : {})
    .filter(([key]) => !UNUSABLE.has(key))
  const entries = Object.fromEntries(properties.map(([key, property]) => {
    const plain = valueOf(property)
    return [key, required.has(key) ? plain : v.optional(plain)]
  }))
  const object = isOpen ? v.pipe(v.looseObject(entries), checked) : v.pipe(v.object(entries), checked)
  return withJsonSchema(notArray(object), schema)
}

function checking<Value>(check: (value: unknown) => string | undefined) {
  return v.rawCheck<Value>(({ dataset, addIssue }) => {
    const problem = dataset.typed ? check(dataset.value) : undefined
    if (problem !== undefined) addIssue({ message: clip(problem, 300) })
  })
}

/** Compiles a schema into a function that returns what is wrong with a value. */
function compile({ schema, validator: Validator, unusable }: GivenSchema): (value: unknown) => string | undefined {
  const unfit = problemOf(schema)
  if (unfit !== undefined) throw unusable(unfit)
  try {
    const validate = new Validator().getValidator(
      loosened(schema) as Parameters<InstanceType<typeof Validator>['getValidator']>[0],
    )
    return (value) => {
      const outcome = validate(value)
      return outcome.valid ? undefined : outcome.errorMessage
    }
  } catch (error) {
    throw unusable('that cannot be checked', error)
  }
}

/** Why a schema cannot be used at all; completes "the server gives it a schema". */
function problemOf(schema: unknown): string | undefined {
  if (isDeeper(schema, DEEPEST_SCHEMA)) return `of more than ${DEEPEST_SCHEMA} levels`
  if (JSON.stringify(schema).length > MOST_SCHEMA) return `of more than ${MOST_SCHEMA} characters`
  // `$async` would make the check return a promise, which nothing here awaits.
  return holds(schema, (keyword) => keyword === '$async') ? 'that cannot be checked ($async)' : undefined
}

function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return most === 0 || Object.values(value).some((item) => isDeeper(item, most - 1))
}

/** The value with control characters escaped, so that it is safe to print. */
function shown(value: unknown): unknown {
  if (typeof value === 'string') return escapeControls(value, true)
  if (Array.isArray(value)) return value.map(shown)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [escapeControls(key), shown(item)]))
}

/** A server's description on one line, cut and escaped. */
export function described(text: string, most: number): string {
  return escapeControls(clip(text.replace(/\s+/g, ' '), most))
}

function valueOf(property: unknown): GenericSchema {
  const schema: JsonSchema = isRecord(property) ? property : {}
  const plain = plainValue(schema)
  return typeof schema.description === 'string'
    ? v.pipe(plain, v.description(described(schema.description, 300))) : plain
}

/** A plain type as a schema; accepts anything where the type is not plain. */
function plainValue({ type, enum: values }: JsonSchema): GenericSchema {
  if (Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string')) {
    return v.picklist(values as string[])
  }
  switch (type) {
    case 'string': return v.string()
    case 'integer': return v.pipe(v.number(), v.integer())
    case 'number': return v.number()
    case 'boolean': return v.boolean()
    case 'array': return v.array(v.unknown())
    case 'object': return notArray(v.record(v.string(), v.unknown()))
    default: return v.unknown()
  }
}
