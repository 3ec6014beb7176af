import { describe, expect, it } from 'vitest'
import { lockViolations, type JsonSchema } from '../../src/registry/index.js'
import { schemaChanges } from '../../src/registry/schema-change.js'
import type { LockedVerb } from '../../src/registry/schema-lock.js'

const text: JsonSchema = { type: 'string' }
const fields = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => (
  { type: 'object', properties, required, additionalProperties: false }
)
const a = (schema: JsonSchema): JsonSchema => fields({ a: schema })

type Verdict = 'breaking' | 'compatible' | 'none'
/** What changed; the verdict for arguments, and the one for results. */
const TABLE: readonly [name: string, before: JsonSchema, after: JsonSchema, args: Verdict, result: Verdict][] = [
  ['nothing', a(text), a(text), 'none', 'none'],
  ['words', a({ ...text, description: 'x' }), a({ ...text, description: 'y', title: 'T' }), 'none', 'none'],
  ['a field removed', fields({ a: text, b: text }), a(text), 'breaking', 'breaking'],
  ['an optional field added', a(text), fields({ a: text, b: text }), 'compatible', 'compatible'],
  ['a required field added', a(text), fields({ a: text, b: text }, ['b']), 'breaking', 'compatible'],
  ['a field renamed', a(text), fields({ b: text }), 'breaking', 'breaking'],
  ['another type', a(text), a({ type: 'boolean' }), 'breaking', 'breaking'],
  ['an integer becomes a number', a({ type: 'integer' }), a({ type: 'number' }), 'compatible', 'breaking'],
  ['a number becomes an integer', a({ type: 'number' }), a({ type: 'integer' }), 'breaking', 'compatible'],
  ['optional becomes required', a(text), fields({ a: text }, ['a']), 'breaking', 'compatible'],
  ['required becomes optional', fields({ a: text }, ['a']), a(text), 'compatible', 'breaking'],
  ['an enum value removed', a({ enum: ['x', 'y'] }), a({ enum: ['x'] }), 'breaking', 'compatible'],
  ['an enum value added', a({ enum: ['x'] }), a({ enum: ['x', 'y'] }), 'compatible', 'breaking'],
  ['enum values in another order', a({ enum: ['x', 'y'] }), a({ enum: ['y', 'x'] }), 'none', 'none'],
  ['an enum where there was none', a(text), a({ ...text, enum: ['x'] }), 'breaking', 'compatible'],
  ['no enum any more', a({ ...text, enum: ['x'] }), a(text), 'compatible', 'breaking'],
  ['a lower maximum', a({ type: 'integer', maximum: 9 }), a({ type: 'integer', maximum: 8 }), 'breaking', 'compatible'],
  ['a higher maximum', a({ type: 'integer', maximum: 9 }), a({ type: 'integer', maximum: 10 }), 'compatible', 'breaking'],
  ['a higher minimum', a({ type: 'integer', minimum: 1 }), a({ type: 'integer', minimum: 2 }), 'breaking', 'compatible'],
  ['a lower minimum', a({ type: 'integer', minimum: 1 }), a({ type: 'integer', minimum: 0 }), 'compatible', 'breaking'],
  ['a bound where there was none', a(text), a({ ...text, maxLength: 5 }), 'breaking', 'compatible'],
  ['no bound any more', a({ ...text, minLength: 5 }), a(text), 'compatible', 'breaking'],
  ['another default', a({ ...text, default: 'x' }), a({ ...text, default: 'y' }), 'breaking', 'none'],
  ['a default where there was none', a(text), a({ ...text, default: 'y' }), 'breaking', 'none'],
  ['another pattern', a({ ...text, pattern: 'x' }), a({ ...text, pattern: 'y' }), 'breaking', 'breaking'],
  ['no pattern any more', a({ ...text, pattern: 'x' }), a(text), 'compatible', 'breaking'],
  ['other fields allowed', a(text), { ...a(text), additionalProperties: true }, 'compatible', 'breaking'],
  ['other items', a({ type: 'array', items: text }), a({ type: 'array', items: { type: 'number' } }), 'breaking', 'breaking'],
  ['a field of the items removed', a({ type: 'array', items: fields({ b: text }) }), a({ type: 'array', items: fields({}) }), 'breaking', 'breaking'],
  ['other values of a map', a({ type: 'object', additionalProperties: text }), a({ type: 'object', additionalProperties: { type: 'number' } }), 'breaking', 'breaking'],
  ['other alternatives', a({ anyOf: [text] }), a({ anyOf: [text, { type: 'null' }] }), 'breaking', 'breaking'],
]

describe('schemaChanges', () => {
  it.each(TABLE)('%s', (_, before, after, args, result) => {
    const verdict = (side: 'arguments' | 'result'): Verdict => {
      const changes = schemaChanges(before, after, side)
      if (changes.length === 0) return 'none'
      return changes.some(({ breaking }) => breaking) ? 'breaking' : 'compatible'
    }
    expect({ args: verdict('arguments'), result: verdict('result') }).toEqual({ args, result })
  })

  it('says where', () => {
    const before = a({ type: 'array', items: fields({ b: { type: 'integer', minimum: 1 } }) })
    const after = a({ type: 'array', items: fields({ b: { type: 'integer', minimum: 2 } }) })
    expect(schemaChanges(before, after, 'arguments')).toEqual([
      { place: 'a[].b', what: 'minimum changed from 1 to 2', breaking: true },
    ])
  })
})

describe('lockViolations', () => {
  const locked = (version: string, schema: JsonSchema): { v: LockedVerb } => ({ v: { version, arguments: schema, result: fields({}) } })
  const one = a(text)
  const more = fields({ a: text, b: text })

  it.each([
    ['1.0.0', one, '1.0.0', one, undefined],
    ['1.0.0', one, '1.0.1', one, undefined],
    ['1.0.0', one, '1.0.0', more, 'v: arguments b: field added: version 1.1.0 or later'],
    ['1.0.0', one, '1.0.1', more, 'v: arguments b: field added: version 1.1.0 or later'],
    ['1.0.0', one, '1.1.0', more, undefined],
    ['1.4.2', more, '1.5.0', one, 'v: arguments b: field removed is a breaking change: version 2.0.0 or later'],
    ['1.4.2', more, '2.0.0', one, undefined],
    ['1.4.2', one, '1.4.1', one, 'v: version 1.4.1 is older than the locked 1.4.2'],
    ['2.0.0', one, '1.9.9', one, 'v: version 1.9.9 is older than the locked 2.0.0'],
  ])('%s → %#', (oldVersion, before, version, after, violation) => {
    expect(lockViolations(locked(oldVersion, before), locked(version, after))).toEqual(violation === undefined ? [] : [violation])
  })

  it('a verb may come, but not go', () => {
    expect(lockViolations({}, locked('1.0.0', one))).toEqual([])
    expect(lockViolations(locked('1.0.0', one), {})).toEqual([
      'v: the verb is gone; if that is meant, take it out of the lock by hand',
    ])
  })
})
