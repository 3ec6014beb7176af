import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { resultJsonSchema, type JsonSchema } from './json-schema.js'
import { fieldInWords } from './type-words.js'

/** One field of a verb's result, for people. */
interface ResultField {
  /** Nested ones by their path: `entries[].name`. */
  path: string
  type: string
  required: boolean
  description: string
}

/** A verb's result for people: what it is where it is no object, and its fields, nested ones below what holds them. */
export function resultFields(verb: AnyVerb): { kind: string; fields: ResultField[] } {
  const schema = resultJsonSchema(verb)
  const fields = fieldsBelow(schema, '')
  const described = schema.description === undefined ? '' : ` (${schema.description.replace(/\.$/, '')})`
  if (schema.type !== 'object') return { kind: `${fieldInWords(schema)}${described}`, fields }
  return { kind: fields.length === 0 ? 'nothing but its success' : '', fields }
}

function fieldsBelow(schema: JsonSchema, prefix: string): ResultField[] {
  if (schema.type === 'array') return fieldsBelow(schema.items ?? {}, `${prefix}[]`)
  if (typeof schema.additionalProperties === 'object') return fieldsBelow(schema.additionalProperties, `${prefix}.*`)
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`
    const required = schema.required?.includes(name) ?? false
    return [
      { path, type: fieldInWords(field), required, description: field.description ?? '' }, ...fieldsBelow(field, path),
    ]
  })
}
