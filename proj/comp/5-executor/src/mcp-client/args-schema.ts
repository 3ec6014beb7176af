import * as v from 'valibot'
import type { GenericSchema } from 'valibot'
import type { Tool } from '@modelcontextprotocol/client'
import { HermesError, isRecord, notArray } from '../../../0-contracts/src/index.js'
import { withJsonSchema, type JsonSchema } from '../../../1-registry/src/index.js'
import { clip, escapeControls } from '../../../0-text/src/index.js'
import type { Sdk } from './load-client-sdk.js'
import { holds, loosened } from './loosen-schema.js'

/** Largest schema, in characters as JSON. */
const MOST_SCHEMA = 200_000
const DEEPEST_SCHEMA = 100
/** Names that no object may have: see `validateCall`. */
const UNUSABLE = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * The arguments of a tool as a verb's: the plain types that texts of SHAM blocks are converted by, and the whole JSON
 * Schema as the last check.
 *
 * @throws HermesError `SERVER_FAILED` for a schema that cannot be checked
 */
export function argsSchema(server: string, { name, inputSchema }: Tool, sdk: Sdk): GenericSchema {
  const unfit = problemOf(inputSchema)
  if (unfit !== undefined) throw unusable(server, name, unfit)
  const schema = shown(inputSchema) as JsonSchema
  const check = compile(server, name, loosened(inputSchema), sdk)
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const properties = Object.entries(isRecord(schema.properties) ? schema.properties : {})
    .filter(([key]) => !UNUSABLE.has(key))
  const entries = Object.fromEntries(properties.map(([key, property]) => {
    const plain = valueOf(property)
    return [key, required.has(key) ? plain : v.optional(plain)]
  }))
  const { additionalProperties } = schema
  const isClosed = additionalProperties === undefined ? properties.length > 0 : additionalProperties === false
  const isOpen = !isClosed || inputSchema['patternProperties'] !== undefined
  const checked = v.rawCheck<Record<string, unknown>>(({ dataset, addIssue }) => {
    const problem = dataset.typed ? check(dataset.value) : undefined
    if (problem !== undefined) addIssue({ message: clip(problem, 300) })
  })
  const args = isOpen ? v.pipe(v.looseObject(entries), checked) : v.pipe(v.object(entries), checked)
  return withJsonSchema(notArray(args), schema)
}

/** What the JSON Schema has against a value. */
function compile(server: string, name: string, inputSchema: unknown, sdk: Sdk): (value: unknown) => string | undefined {
  try {
    const validate = new sdk.AjvJsonSchemaValidator().getValidator(
      inputSchema as Parameters<InstanceType<Sdk['AjvJsonSchemaValidator']>['getValidator']>[0],
    )
    return (value) => {
      const outcome = validate(value)
      return outcome.valid ? undefined : outcome.errorMessage
    }
  } catch (error) {
    throw unusable(server, name, 'that cannot be checked', error)
  }
}

function unusable(server: string, name: string, why: string, cause?: unknown): HermesError {
  return new HermesError('SERVER_FAILED', `mcp.${server}.${name}: the server gives it a schema ${why}`, {
    hint: 'Do without this tool; others of the server are not affected.', ...(cause !== undefined && { cause }),
  })
}

/** What keeps a schema from being used at all; completes "the server gives it a schema". */
function problemOf(schema: unknown): string | undefined {
  if (isDeeper(schema, DEEPEST_SCHEMA)) return `of more than ${DEEPEST_SCHEMA} levels`
  if (JSON.stringify(schema).length > MOST_SCHEMA) return `of more than ${MOST_SCHEMA} characters`
  // It would make the check answer later, which nobody waits for.
  return holds(schema, (keyword) => keyword === '$async') ? 'that cannot be checked ($async)' : undefined
}

function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return most === 0 || Object.values(value).some((one) => isDeeper(one, most - 1))
}

/** As it may be shown, with everything that a terminal would obey made visible. */
function shown(value: unknown): unknown {
  if (typeof value === 'string') return escapeControls(value, true)
  if (Array.isArray(value)) return value.map(shown)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [escapeControls(key), shown(one)]))
}

/** What a server says of something, on one line. */
export function described(text: string, most: number): string {
  return escapeControls(clip(text.replace(/\s+/g, ' '), most))
}

function valueOf(property: unknown): GenericSchema {
  const schema: JsonSchema = isRecord(property) ? property : {}
  const plain = plainValue(schema)
  return typeof schema.description === 'string'
    ? v.pipe(plain, v.description(described(schema.description, 300))) : plain
}

/** Of a type that is not plain any value is taken here. */
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
