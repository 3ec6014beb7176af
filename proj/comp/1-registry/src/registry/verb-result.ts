import { is, type GenericSchema } from 'valibot'
import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { shapeOf, type SchemaShape } from './schema-shape.js'

/**
 * The JSON form of a handler's result: `succeeded`, then the result's own fields. Declared field names become camelCase
 * at any depth; keys of records are data and stay. A list is put in `items`, any other non-object in `value`.
 */
export function toVerbResult(verb: AnyVerb, data: unknown): Record<string, unknown> {
  const shape = shapeOf(verb.result)
  const wrapper = wrapperOf(verb)
  const named = rename(data, shape)
  if (wrapper === undefined) return { succeeded: true, ...(named as object) }
  return { succeeded: true, ...(named !== undefined && { [wrapper]: named }) }
}

/** A handler's result in the form of `mcpTool`'s output schema. */
export function structuredContent(verb: AnyVerb, data: unknown): Record<string, unknown> {
  const wrapper = wrapperOf(verb)
  // Convert to JSON first (dates, undefined fields), since the schema describes that form.
  const json = JSON.parse(JSON.stringify(data ?? null)) as unknown
  return wrapper === undefined ? { ...(json as object) } : { [wrapper]: json }
}

/** The property for a result that is no object; `undefined` for objects. */
export function wrapperOf(verb: AnyVerb): 'items' | 'value' | undefined {
  const { type, entries } = unwrapped(shapeOf(verb.result))
  if (entries !== undefined) return undefined
  return type === 'array' ? 'items' : 'value'
}

/** Converts `line_number` to `lineNumber`; other names stay. */
export function camelCase(name: string): string {
  return name.replace(/(?!^)_+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

function rename(value: unknown, schema: SchemaShape): unknown {
  if (value === null || value === undefined) return value
  const shape = chosen(value, unwrapped(schema))
  if (Array.isArray(value)) {
    const { item } = shape
    return item === undefined ? value : value.map((element) => rename(element, item))
  }
  if (typeof value !== 'object') return value
  const { entries, value: each } = shape
  if (entries === undefined && each === undefined) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => {
    if (entries === undefined) return [name, each === undefined ? field : rename(field, each)]
    const declared = Object.hasOwn(entries, name) ? entries[name] : undefined
    return declared === undefined ? [name, field] : [camelCase(name), rename(field, declared)]
  }))
}

function unwrapped(shape: SchemaShape): SchemaShape {
  const inner = shape.wrapped ?? shape.getter?.(undefined)
  return inner === undefined ? shape : unwrapped(inner)
}

/** The first alternative of a union that matches the value. */
function chosen(value: unknown, shape: SchemaShape): SchemaShape {
  if (shape.type !== 'union' && shape.type !== 'variant') return shape
  const fitting = (shape.options ?? []).find((option) => is(option as GenericSchema, value))
  return fitting === undefined ? shape : chosen(value, unwrapped(shapeOf(fitting as GenericSchema)))
}
