import * as v from 'valibot'
import type { GenericSchema } from 'valibot'
import type { Tool } from '@modelcontextprotocol/client'
import { HermesError, isRecord, notArray } from '../../contracts/src/index.js'
import { withJsonSchema, type JsonSchema } from '../../registry/src/index.js'
import { clip } from '../../text/src/index.js'
import type { Sdk } from './load-sdk.js'

/** Names that no object may have: see `validateCall`. */
const UNUSABLE = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * The arguments of a tool as a verb's: the plain types that texts of SHAM blocks are converted by, and the whole JSON
 * Schema as the last check.
 *
 * @throws HermesError `SERVER_FAILED` for a schema that cannot be checked
 */
export function argsSchema(server: string, { name, inputSchema }: Tool, sdk: Sdk): GenericSchema {
  const schema = inputSchema as JsonSchema
  const check = compile(server, name, inputSchema, sdk)
  const required = new Set(schema.required)
  const properties = Object.entries(schema.properties ?? {}).filter(([key]) => !UNUSABLE.has(key))
  const entries = Object.fromEntries(properties.map(([key, property]) => {
    const plain = valueOf(property)
    return [key, required.has(key) ? plain : v.optional(plain)]
  }))
  const { additionalProperties } = schema
  const isOpen = additionalProperties === undefined ? properties.length === 0 : additionalProperties !== false
  const checked = v.rawCheck<Record<string, unknown>>(({ dataset, addIssue }) => {
    const problem = dataset.typed ? check(dataset.value) : undefined
    if (problem !== undefined) addIssue({ message: clip(problem, 300) })
  })
  const args = isOpen ? v.pipe(v.looseObject(entries), checked) : v.pipe(v.object(entries), checked)
  return withJsonSchema(notArray(args), schema)
}

/** What the JSON Schema has against a value. */
function compile(server: string, name: string, inputSchema: Tool['inputSchema'], sdk: Sdk): (value: unknown) => string | undefined {
  try {
    const validate = new sdk.AjvJsonSchemaValidator().getValidator(inputSchema as Parameters<InstanceType<Sdk['AjvJsonSchemaValidator']>['getValidator']>[0])
    return (value) => {
      const outcome = validate(value)
      return outcome.valid ? undefined : outcome.errorMessage
    }
  } catch (error) {
    throw new HermesError('SERVER_FAILED', `mcp.${server}.${name}: the server gives it a schema that cannot be checked`, {
      hint: 'Do without this tool; others of the server are not affected.', cause: error,
    })
  }
}

function valueOf(property: unknown): GenericSchema {
  const schema: JsonSchema = isRecord(property) ? property : {}
  const plain = plainValue(schema)
  return typeof schema.description === 'string' ? v.pipe(plain, v.description(clip(schema.description, 300))) : plain
}

/** Of a type that is not plain any value is taken here. */
function plainValue({ type, enum: values }: JsonSchema): GenericSchema {
  if (Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string')) return v.picklist(values as string[])
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
