import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getEncoding } from 'js-tiktoken'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { execute } from '../../../5-executor/src/executor/index.js'
import { PROMPT_DIALECTS } from '../../../0-contracts/src/index.js'
import { parse, writeCall, writingOf } from '../../../1-reading/src/parsers/index.js'
import { parameterDefinitions, toolName, TOOLSET_NAMES, validateCall, VerbRegistry } from '../../src/registry/index.js'
import { VERBS } from '../../../5-executor/src/verbs/index.js'
import {
  estimateTokens, PROMPT_FORMATS, selectPromptVerbs, VOCABULARY_OF, writePrompt, type PromptFormat,
} from '../../src/prompt/index.js'
import { BASICS_OF } from '../../src/prompt/prompt-options.js'

const all = await new VerbRegistry(VERBS).loadAll()
const ALIAS = '/workspace'
const tokenizer = getEncoding('o200k_base')
/** Of the default prompt, by what a model is billed for; also where the root lies deep, since examples name it. */
const MOST_TOKENS = 1500
const DEEP_ROOT = '/home/someone/src/github.com/some-organisation/some-project/packages/some-package'

function prompt(format: PromptFormat, toolsets: readonly string[] = [], more: { short?: boolean; root?: string; relativePaths?: boolean } = {}) {
  return writePrompt({ format, verbs: selectPromptVerbs(all, format, toolsets), root: ALIAS, notes: toolsets.length > 0, ...more })
}

async function run(text: string, root = tempDir()) {
  return execute(text, { root, rootAliases: [ALIAS], sandbox: 'none', policy: false, gitCommit: false })
}

describe.each(PROMPT_FORMATS)('a prompt for %s', (format) => {
  it.each([[], ...TOOLSET_NAMES.map((name) => [name])].map((toolsets) => ({ toolsets })))(
    'of toolsets $toolsets: every block in it is an example, and each succeeds', async ({ toolsets }) => {
      const { text } = prompt(format, toolsets)
      const { errors, blocks } = parse(text)
      expect(errors).toEqual([])
      expect(blocks.every((block) => block.format === format)).toBe(true)
      const result = await run(text)
      expect(result.results.filter(({ success }) => !success)).toEqual([])
      expect(result).toMatchObject({ success: true, executedActions: blocks.length })
    },
  )

  it('has several examples of what it teaches, all of what it tells of', () => {
    const { blocks } = parse(prompt(format).text)
    expect(blocks.length).toBeGreaterThanOrEqual(5)
    const names = new Set(selectPromptVerbs(all, format, []).map(({ name }) => name))
    expect(blocks.filter(({ action }) => !names.has(action))).toEqual([])
  })

  it('tells by default of what work on a project needs, mostly of its vocabulary', () => {
    const verbs = selectPromptVerbs(all, format, [])
    const borrowed = verbs.filter(({ vocabulary }) => vocabulary !== VOCABULARY_OF[format]).map(({ name }) => name)
    expect(verbs.map(({ name }) => name).toSorted()).toEqual(BASICS_OF[format].toSorted())
    expect(borrowed).toEqual({ sham: [], envelope: ['apply_patch', 'search_files'], tool_call: ['edit_replace'] }[format])
  })

  it('costs a model few tokens', () => {
    for (const relativePaths of [false, true]) {
      const { text } = prompt(format, [], { root: DEEP_ROOT, relativePaths })
      expect(tokenizer.encode(text, [], []).length).toBeLessThanOrEqual(MOST_TOKENS)
    }
  })

  it('tells by default of no parameter that is seldom needed, and never of none that a call must have', () => {
    const verbs = selectPromptVerbs(all, format, [])
    const required = verbs.flatMap(({ name, args }) => (
      Object.entries(parameterDefinitions(args)).filter(([, each]) => each.required).map(([each]) => [name, each])
    ))
    for (const [name = '', parameter = ''] of required) {
      expect(prompt(format).text.split(`### ${name}\n`)[1]?.split('###')[0]).toContain(`- \`${parameter}\``)
    }
    for (const seldom of ['return_output', 'context_before', 'encoding']) expect(prompt(format).text).not.toContain(seldom)
  })

  it('names every verb and parameter that is enabled, and no other verb', () => {
    const verbs = selectPromptVerbs(all, format, ['read-only'])
    const { text } = prompt(format, ['read-only'])
    expect([...text.matchAll(/^### (\S+)$/gm)].map(([, name]) => name)).toEqual(verbs.map(({ name }) => name))
    for (const { args } of verbs) for (const name of Object.keys(parameterDefinitions(args))) expect(text).toContain(`- \`${name}\` (`)
  })

  it('is shorter where asked for, and has the same examples', () => {
    const of = [VOCABULARY_OF[format]]
    const [long, short] = [prompt(format, of), prompt(format, of, { short: true })]
    expect(short.size.tokens).toBeLessThan(long.size.tokens / 1.5)
    expect(parse(short.text).blocks.map(({ params }) => params)).toEqual(parse(long.text).blocks.map(({ params }) => params))
  })

  it('adds its sizes up', () => {
    const { text, size, sections, verbs } = prompt(format)
    const sum = (sizes: readonly { characters: number }[]): number => sizes.reduce((all_, one) => all_ + one.characters, 0)
    expect(size.characters).toBe([...text].length)
    // Two line breaks between sections, one at the end.
    expect(sum(sections)).toBe(size.characters - 2 * (sections.length - 1) - 1)
    expect(sum(verbs)).toBeLessThan(sections.find(({ name }) => name === 'verbs')?.characters ?? 0)
    expect(size.tokens).toBe(estimateTokens(text))
  })
})

describe.each([['aider', 2, 'src/part.js'], ['cline', 5, 'src/greet.js']] as const)('a prompt for the harness %s', (dialect, count, edited) => {
  it('has calls that its own reader takes, and each succeeds', async () => {
    const verbs = selectPromptVerbs(all, 'tool_call', [], dialect)
    const { text } = writePrompt({ format: 'tool_call', dialect, verbs, root: ALIAS })
    const { errors, blocks } = parse(text, { editFormats: [dialect] })
    expect([errors, blocks.length]).toEqual([[], count])
    const root = tempDir()
    const result = await execute(text, { root, sandbox: 'none', policy: false, gitCommit: false, editFormats: [dialect] })
    expect(result.results.filter(({ success }) => !success)).toEqual([])
    expect(readFileSync(join(root, edited), 'utf8')).toMatch(/return `(?:Bye|Hello), \$\{name\}!`/)
  })

  it('narrows what it tells of by toolsets', () => {
    const names = selectPromptVerbs(all, 'tool_call', ['read-only'], dialect).map(({ name }) => name)
    expect(names).toEqual(dialect === 'aider' ? [] : ['read_file', 'list_directory', 'search_files'])
  })
})

const OF_MODELS = PROMPT_DIALECTS.filter((name) => name !== 'aider' && name !== 'cline')

describe.each(OF_MODELS)('a prompt for the dialect %s', (dialect) => {
  const verbs = selectPromptVerbs(all, 'tool_call', [])
  const written = (more: { short?: boolean } = {}) => writePrompt({ format: 'tool_call', dialect, verbs, root: ALIAS, ...more })

  it.each([{}, { short: true }])('%j: every call in it is an example of it, and each succeeds', async (more) => {
    const { text } = written(more)
    const { errors, blocks } = parse(text)
    expect(errors).toEqual([])
    expect(blocks.map(({ dialect: read }) => read ?? 'hermes')).toEqual(Array(5).fill(dialect))
    expect(await run(text)).toMatchObject({ success: true, executedActions: 5 })
    for (const { name } of verbs) expect(text).toContain(toolName(name))
  })

  it('writes each call so that the reader has it back', () => {
    const rules = { root: ALIAS, rootAliases: [], relativePaths: true }
    const odd = ['', 'a', ' "a"\n\n', '\n<b c="1">&amp;</b>\\n', '```\n%name %args\n', '１ é 😀\u2028', 'true', '12', '[1, "x"]']
    const writing = writingOf(dialect)
    for (const [index, verb] of verbs.entries()) {
      const [example = {}] = verb.examples as Record<string, unknown>[]
      const texts = Object.keys(example).filter((key) => typeof example[key] === 'string')
      const key = texts.find((name) => ['content', 'new_text', 'query', 'command', 'code'].includes(name))
      for (const args of [example, ...(key === undefined ? [] : odd.map((text) => ({ ...example, [key]: text })))]) {
        const { blocks, errors } = parse(`So:\n\n${writeCall(writing, verb.name, args, index)}\n`)
        expect([errors, blocks.map(({ action }) => action)]).toEqual([[], [verb.name]])
        const [block] = blocks
        const read = validateCall(verb, block!.format, block!.params, rules, block!.textValues)
        expect(read).toEqual(validateCall(verb, 'tool_call', args, rules))
      }
    }
  })
})

it('writes examples that work with the root itself in place of an alias', async () => {
  const root = tempDir()
  const { text } = prompt('sham', [], { root })
  expect(text).toContain(`path = "${root}/src/greet.js"`)
  const { success, executedActions } = await execute(text, { root, sandbox: 'none', policy: false })
  expect([success, executedActions >= 5]).toEqual([true, true])
})

it('shows the form, quoted, where no example can succeed everywhere', async () => {
  const { text } = prompt('sham', ['git'])
  const { blocks, skipped } = parse(text)
  expect([blocks.length, skipped.length]).toEqual([0, 1])
  const repository = tempDir()
  execFileSync('git', ['init', '-q'], { cwd: repository })
  expect((await run(text, repository)).success).toBe(true)
})

it('tells of no verb that models may not call', () => {
  const [first, ...rest] = all
  const verbs = [{ ...first!, accessibility: ['user' as const] }, ...rest]
  expect(selectPromptVerbs(verbs, 'sham', []).map(({ name }) => name)).not.toContain(first!.name)
})

it('refuses an unknown toolset', () => {
  expect(() => selectPromptVerbs(all, 'sham', ['edits'])).toThrow('Unknown toolset: edits')
})

it('narrows toolsets that name no vocabulary to that of the format', () => {
  const vocabularies = (format: PromptFormat, toolsets: string[]) => (
    [...new Set(selectPromptVerbs(all, format, toolsets).map(({ vocabulary }) => vocabulary))]
  )
  expect(vocabularies('envelope', ['read-only'])).toEqual(['hermes'])
  expect(vocabularies('sham', ['core'])).toEqual(['core'])
  expect(vocabularies('envelope', ['git'])).toEqual(['core'])
})

it('estimates a token for every four characters', () => {
  expect(['', 'hello', 'éèàü'].map(estimateTokens)).toEqual([0, 2, 1])
})
