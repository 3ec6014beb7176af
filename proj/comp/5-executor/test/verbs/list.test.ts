import { Ajv2020 } from 'ajv/dist/2020.js'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import type { AnyVerb } from '../../../0-contracts/src/index.js'
import {
  anthropicTool, argsJsonSchema, openAiTool, resultJsonSchema, validateCall, VerbRegistry, type JsonSchema,
} from '../../../1-registry/src/registry/index.js'
import { VERBS } from '../../src/verbs/index.js'

const CORE_CATEGORIES = ['file_operations', 'code_execution', 'code_analysis', 'version_control', 'user_interaction']
/** Beginnings of names, by vocabulary: Hermes verbs have dots, the others none. */
const NAMES = { clada: /^[a-z]+(_[a-z]+)*$/, hermes: /^[a-z]+\.[a-z][A-Za-z]*$/, core: /^[a-z]+(_[a-z]+)*$/ }
const rules = { relativePaths: true, root: '/', rootAliases: [] }

describe('VERBS', () => {
  it('names each verb once', () => {
    expect(new Set(VERBS.map(({ name }) => name)).size).toBe(VERBS.length)
  })

  it('gives each verb a name of its own for function calling', async () => {
    const verbs = await new VerbRegistry(VERBS).loadAll()
    const names = verbs.map((verb) => openAiTool(verb).function.name)
    expect(new Set(names).size).toBe(verbs.length)
    expect(verbs.map((verb) => anthropicTool(verb).name)).toEqual(names)
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  })

  it.each(VERBS)('$name is declared in full', async ({ name, load }) => {
    const verb = await load()
    expect(verb.name).toBe(name)
    expect(name).toMatch(NAMES[verb.vocabulary])
    if (verb.vocabulary === 'core') expect(CORE_CATEGORIES).toContain(verb.category)
    expect(verb.version).toMatch(/^[1-9]\d*\.\d+\.\d+$/)
    expectDescription(verb.description, 'the verb')
    if (verb.primary !== undefined) expect(Object.keys(argsJsonSchema(verb).properties ?? {})).toContain(verb.primary)
  })

  it.each(VERBS)('$name describes every field', async ({ load }) => {
    const verb = await load()
    for (const [place, field] of fieldsOf(argsJsonSchema(verb))) expectDescription(field.description, place)
    for (const [place, field] of fieldsOf(resultJsonSchema(verb))) expectDescription(field.description, `result ${place}`)
  })

  it.each(VERBS)('$name has examples that hermes and a JSON Schema validator accept', async ({ load }) => {
    const verb = await load()
    const accepts = new Ajv2020({ strict: true, strictRequired: false }).compile(argsJsonSchema(verb))
    expect(verb.examples.length).toBeGreaterThanOrEqual(1)
    for (const example of verb.examples) {
      expect(v.safeParse(verb.args, example).success).toBe(true)
      expect(validateCall(verb, 'envelope', example, rules)).toMatchObject({ ok: true })
      expect(accepts(example), JSON.stringify(accepts.errors)).toBe(true)
    }
  })

  it.each(VERBS)('$name has schemas that are strictly valid JSON Schema 2020-12', async ({ load }) => {
    const verb = await load()
    const ajv = new Ajv2020({ strict: true, strictTypes: false })
    for (const schema of [argsJsonSchema(verb), resultJsonSchema(verb)]) {
      expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
      expect(() => ajv.compile(schema)).not.toThrow()
    }
    expect(argsJsonSchema(verb)).toMatchObject({ type: 'object', additionalProperties: false })
    expectNoResultOfTheProjection(verb)
  })
})

function expectDescription(description: string | undefined, what: string): void {
  expect(description?.trim().length ?? 0, what).toBeGreaterThan(5)
  expect(description?.length, what).toBeLessThan(500)
}

/** The JSON form of results adds these; a verb's own would hide them. */
function expectNoResultOfTheProjection(verb: AnyVerb): void {
  const names = Object.keys(resultJsonSchema(verb).properties ?? {})
  for (const name of ['succeeded', 'errorMessage', 'error_message']) expect(names).not.toContain(name)
}

/** Every field with its place, nested ones too. */
function fieldsOf(schema: JsonSchema, prefix = ''): [place: string, field: JsonSchema][] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]): [string, JsonSchema][] => (
    [[`${prefix}${name}`, field], ...fieldsOf(field, `${prefix}${name}.`)]
  ))
  return [...fields, ...(schema.items ? fieldsOf(schema.items, `${prefix}[].`) : [])]
}
