import { readFileSync } from 'node:fs'
import { marked, type Token, type Tokens } from 'marked'
import { load as parseYaml } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import type { AnyVerb } from '../../../0-contracts/src/index.js'
import {
  anthropicTool, argsJsonSchema, mcpTool, openAiTool, type JsonSchema,
} from '../../../1-registry/src/registry/index.js'
import { argumentErrors, projectionOf, VERBS } from '../../src/verbs/index.js'

const file = new URL('../../test-data/verbs/core-tools.cases.md', import.meta.url)
const tables = marked.lexer(readFileSync(file, 'utf8')).filter((token: Token): token is Tokens.Table => token.type === 'table')
const [PARAMETERS = [], ARGUMENTS = []] = tables.map(({ rows }) => rows.map((row) => row.map(({ text }) => plain(text))))
const TOOLS = [...new Set(PARAMETERS.map(([, name]) => name ?? ''))]
/** Seed 004 NFR-008: descriptions have fewer characters. */
const LIMIT = 500

/** A cell without its code span; marked leaves HTML's escapes in it. */
function plain(cell: string): string {
  return cell.replace(/^`|`$/g, '').replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
}

async function tool(name: string): Promise<AnyVerb> {
  const verb = await VERBS.find((one) => one.name === name)?.load()
  if (!verb) throw new Error(`no verb ${name}`)
  return verb
}

/** The parameters by every projection that is JSON Schema. */
function schemasOf(verb: AnyVerb): [projection: string, schema: JsonSchema][] {
  return [
    ['json-schema', argsJsonSchema(verb)], ['openai', openAiTool(verb).function.parameters],
    ['anthropic', anthropicTool(verb).input_schema], ['mcp', mcpTool(verb).inputSchema],
  ]
}

function descriptionsOf(verb: AnyVerb): [projection: string, description: string][] {
  return [
    ['openai', openAiTool(verb).function.description], ['anthropic', anthropicTool(verb).description],
    ['mcp', mcpTool(verb).description],
  ]
}

interface YamlParameter {
  type: string
  required: boolean
  [keyword: string]: unknown
}

/** As the projection `yaml` has it: `enum` is a type there, and its values have a name of their own. */
function inYaml(schema: JsonSchema): Record<string, unknown> {
  const { enum: values, type, items, additionalProperties, ...rest } = schema
  const inner = items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
  return {
    ...rest, type: values ? 'enum' : type, ...(values && { values }), ...(inner && { items: inner.type }),
  }
}

describe('the core tools of seed 004', () => {
  it('are these', () => {
    expect(TOOLS).toHaveLength(17)
  })

  it.each(PARAMETERS)('%s: %s has %s in every projection', async (_requirement, name = '', parameter = '', required, schema = '') => {
    const verb = await tool(name)
    const wanted = JSON.parse(schema) as JsonSchema
    for (const [projection, { properties = {}, required: needed = [] }] of schemasOf(verb)) {
      expect(properties[parameter], projection).toMatchObject(wanted)
      expect(needed.includes(parameter), projection).toBe(required === 'yes')
    }
    const yaml = parseYaml(projectionOf('yaml', false)?.([verb], false) ?? '') as { tools: Record<string, { parameters: Record<string, YamlParameter> }> }
    expect(yaml.tools[name]?.parameters[parameter]).toMatchObject({ ...inYaml(wanted), required: required === 'yes' })
    const idl = projectionOf('idl', false)?.([verb], false) ?? ''
    expect(idl).toMatch(new RegExp(String.raw`^  ${parameter}${required === 'yes' ? '' : String.raw`\?`}: `, 'm'))
  })

  it.each(TOOLS)('%s takes nothing else but what may be left out, and then says so by its version', async (name) => {
    const verb = await tool(name)
    const ofSeed = PARAMETERS.filter(([, other]) => other === name)
    const { properties = {}, required = [] } = argsJsonSchema(verb)
    expect([...required].sort()).toEqual(ofSeed.filter(([,,, needed]) => needed === 'yes').map(([,, parameter]) => parameter).sort())
    const added = Object.keys(properties).filter((parameter) => !ofSeed.some(([,, one]) => one === parameter))
    if (added.length > 0) expect(verb.version, added.join()).not.toMatch(/^1\.0\./)
  })

  it.each(TOOLS)('%s follows the rules for all tools', async (name) => {
    const verb = await tool(name)
    const { properties = {} } = argsJsonSchema(verb)
    for (const [parameter, schema] of Object.entries(properties)) {
      const path = parameter === 'files' ? schema.items : /(?:^|_)(?:path|source|destination|directory)$/.test(parameter) ? schema : undefined
      if (path) expect(path, parameter).toMatchObject({ maxLength: 4096, pattern: expect.any(String) as string })
      if (parameter.startsWith('timeout')) expect(schema, parameter).toMatchObject({ minimum: 1, maximum: 3600 })
      if (schema.type === 'boolean') expect(schema.description, parameter).toMatch(/Default: (?:true|false|yes|no)\b/)
      expect(schema.description?.length, parameter).toBeLessThan(LIMIT)
    }
    expect(verb.examples.length).toBeGreaterThan(0)
  })

  it.each(TOOLS)('%s is described with all its rules in fewer than 500 characters', async (name) => {
    const verb = await tool(name)
    for (const [projection, description] of descriptionsOf(verb)) {
      expect(description.length, projection).toBeLessThan(LIMIT)
      for (const rule of verb.constraints) expect(description, projection).toContain(rule)
    }
  })

  it.each(ARGUMENTS)('%s %s: %s', async (name = '', args = '', outcome = '') => {
    const codes = argumentErrors(await tool(name), args).map(({ code }) => code)
    expect(codes.length === 0 ? 'valid' : codes.join()).toBe(outcome)
  })
})

describe('the sizes of the definitions', () => {
  it('are below 500 KB for all core tools together', async () => {
    const all = await Promise.all(TOOLS.map(tool))
    expect(JSON.stringify(all.map(openAiTool)).length).toBeLessThan(500_000)
  })
})
