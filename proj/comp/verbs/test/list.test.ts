import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { VERBS } from '../src/index.js'

describe('VERBS', () => {
  it('names each verb once', () => {
    expect(new Set(VERBS.map(({ name }) => name)).size).toBe(VERBS.length)
  })

  it.each(VERBS)('$name is declared in full', async ({ name, load }) => {
    const verb = await load()
    expect(verb.name).toBe(name)
    expect(verb.vocabulary).toBe('clada')
    expect(verb.version).toMatch(/^[1-9]\d*\.\d+\.\d+$/)
    expect(verb.description.length).toBeGreaterThan(10)
    expect(verb.description.length).toBeLessThan(500)
    const entries = (verb.args as v.GenericSchema & { entries: Record<string, v.GenericSchema> }).entries
    for (const [parameter, schema] of Object.entries(entries)) {
      const plain = 'wrapped' in schema ? schema.wrapped as v.GenericSchema : schema
      expect(v.getDescription(plain), parameter).toBeTruthy()
    }
    if (verb.primary !== undefined) expect(Object.keys(entries)).toContain(verb.primary)
    expect(verb.examples.length).toBeGreaterThanOrEqual(1)
    for (const example of verb.examples) expect(v.safeParse(verb.args, example).success).toBe(true)
  })
})
