import { is, type GenericSchema } from 'valibot'
import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { shapeOf, type SchemaShape } from './schema-shape.js'

/** Under which name a result that is no object stands in the JSON form of a verb's result. */
export type WrappedResult = 'items' | 'value'

/**
 * What a handler returned, in the JSON form of seed 000's `VerbResult`: `succeeded`, then the result's own fields.
 * Names the result's schema declares become camelCase, at any depth; keys of records are data and stay. A list
 * becomes `items`, any other value that is no object `value`.
 */
export function toVerbResult(verb: AnyVerb, data: unknown): Record<string, unknown> {
  const shape = shapeOf(verb.result)
  const wrapper = wrapperOf(verb)
  const named = rename(data, shape)
  if (wrapper === undefined) return { succeeded: true, ...(named as object) }
  return { succeeded: true, ...(named !== undefined && { [wrapper]: named }) }
}

/** What a handler returned, as the output schema of `mcpTool` has it. */
export function structuredContent(verb: AnyVerb, data: unknown): Record<string, unknown> {
  const wrapper = wrapperOf(verb)
  // A handler may return what has another form in JSON (dates, undefined fields): the schema is of that form.
  const json = JSON.parse(JSON.stringify(data ?? null)) as unknown
  return wrapper === undefined ? { ...(json as object) } : { [wrapper]: json }
}

/** The property that holds a result that is no object; `undefined` for objects. */
export function wrapperOf(verb: AnyVerb): WrappedResult | undefined {
  const { type, entries } = unwrapped(shapeOf(verb.result))
  if (entries !== undefined) return undefined
  return type === 'array' ? 'items' : 'value'
}

/** `line_number` → `lineNumber`; other names stay. */
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

/** Of a union the first alternative that holds for the value. */
function chosen(value: unknown, shape: SchemaShape): SchemaShape {
  if (shape.type !== 'union' && shape.type !== 'variant') return shape
  const found = (shape.options ?? []).find((option) => is(option as GenericSchema, value))
  return found === undefined ? shape : chosen(value, unwrapped(shapeOf(found as GenericSchema)))
}
