import { describe, expect, it } from 'vitest'
import { readGoldens, type GoldenCase } from '../../../../test/support/goldens.js'
import { VERBS } from '../../../5-executor/src/verbs/index.js'
import {
  anthropicTool, argsJsonSchema, exampleCall, mcpTool, openAiTool, parameterDefinitions, renderIdl, renderVerbsPage,
  resultJsonSchema, VerbRegistry, type LazyVerb,
} from '../../src/registry/index.js'
import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { SAMPLES } from './sample-verbs.js'

/** What the fences of a case are called, by the second word of their info string. */
const PROJECTIONS: Record<string, (verb: AnyVerb) => unknown> = {
  idl: (verb) => renderIdl([verb]),
  // Without comments: what the seed fixes of a verb whose words are its own.
  'idl-types': (verb) => renderIdl([verb]).replace(/^ *\/\/.*\n/gm, ''),
  arguments: argsJsonSchema,
  result: resultJsonSchema,
  parameters: (verb) => parameterDefinitions(verb.args),
  openai: openAiTool,
  anthropic: anthropicTool,
  mcp: mcpTool,
  page: (verb) => renderVerbsPage([verb]).replace(/^[^]*?\n(?=## )/, ''),
  example: (verb) => exampleCall(verb, verb.examples[0] as Record<string, unknown>),
}

const samples: LazyVerb[] = SAMPLES.map((verb) => ({ name: verb.name, load: async () => verb }))
const registry = new VerbRegistry([...VERBS, ...samples])
const cases = readGoldens(new URL('../../test-data/registry/projections.cases.md', import.meta.url))

describe.each([...new Set(cases.map(({ group }) => group))])('%s', (group) => {
  it.each(cases.filter((golden) => golden.group === group))('$name', async ({ name, fences }: GoldenCase) => {
    const verb = await registry.load(name)
    if (!verb) throw new Error(`no verb ${name}`)
    for (const { info, body } of fences) {
      const [language, kind = ''] = info.split(' ')
      const found = PROJECTIONS[kind]?.(verb)
      // As text: the order of keys is for readers.
      const shown = language === 'json' ? JSON.stringify(found, null, 2) : String(found).trimEnd()
      expect(shown, kind).toBe(language === 'json' ? JSON.stringify(JSON.parse(body), null, 2) : body)
    }
  })
})

it('the IDL folds line breaks of a description, and leaves its spaces', () => {
  const [feed] = SAMPLES
  expect(renderIdl([{ ...feed!, description: 'Write "  a\\n",\n  once.' }])).toContain('// Write "  a\\n", once.\n')
})

describe('core tools', async () => {
  const core = (await new VerbRegistry(VERBS).loadAll()).filter(({ vocabulary }) => vocabulary === 'core')
  /** Of the tool, its parameters, and all that is within them. */
  const descriptions = (value: unknown): string[] => (typeof value !== 'object' || value === null ? []
    : Object.entries(value).flatMap(([key, each]) => (
        key === 'description' && typeof each === 'string' ? [each] : descriptions(each))))

  it.each(core.map((verb) => [verb.name, verb] as const))('%s: no description has 500 characters, and none lacks a rule', (_, verb) => {
    const tools = [openAiTool(verb), anthropicTool(verb), mcpTool(verb)]
    const idl = [...renderIdl([verb]).matchAll(/^ *\/\/ (.*)$/gm)].map(([, text]) => text ?? '')
    const all = [...descriptions([tools, argsJsonSchema(verb), resultJsonSchema(verb)]), ...idl]
    expect(all.filter((text) => [...text].length >= 500)).toEqual([])
    for (const rule of verb.constraints) for (const tool of tools) expect(JSON.stringify(tool)).toContain(JSON.stringify(rule).slice(1, -1))
  })

  it('there are the 17 of seed 004, symbol_outline and diagnostics', () => expect(core).toHaveLength(19))
})

describe('several verbs', () => {
  it('a type that two of them share is defined once, another of the same name under its own', () => {
    const [feed] = SAMPLES
    const twice = renderIdl([feed!, { ...feed!, name: 'zoo.feed' }])
    expect(twice.match(/^type Food$/gm)).toHaveLength(1)
    expect(twice).toContain('menu: Food[]')
    expect(twice).toContain('type ZooFeedResultKeeper\n')
  })
})
