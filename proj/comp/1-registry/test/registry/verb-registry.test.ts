import { describe, expect, it } from 'vitest'
import { HermesError, type AnyVerb } from '../../../0-contracts/src/index.js'
import { openAiTool, selectToolsets, toolName, TOOLSET_NAMES, VerbRegistry } from '../../src/registry/index.js'
import { sample, SAMPLES } from './sample-verbs.js'

const registry = (): VerbRegistry => SAMPLES.reduce((all, verb) => all.register(verb), new VerbRegistry())

it('takes verbs, and such as are loaded when they are first used, as it is made', async () => {
  const [first, second] = [sample('cage_count'), sample('list_cages')]
  const both = new VerbRegistry([first, { name: second.name, load: () => Promise.resolve(second) }])
  expect([await both.load('cage_count'), await both.load('list_cages')]).toEqual([first, second])
  expect(() => new VerbRegistry([first, first])).toThrow("Verb 'cage_count' is already registered.")
})

describe('major versions side by side', () => {
  const [first, second, third] = ['1.4.0', '2.0.1', '10.0.0'].map((version) => ({ ...sample('cage_count'), version })) as [AnyVerb, AnyVerb, AnyVerb]

  it('count by the newest, in whatever order they come, and by another one in a view', async () => {
    for (const all of [[first, second, third], [third, first, second], [second, third, first]]) {
      const registered = new VerbRegistry(all)
      expect([registered.names(), registered.versions('cage_count'), await registered.load('cage_count')]).toEqual([['cage_count'], ['10.0.0', '2.0.1', '1.4.0'], third])
      expect(await registered.at({ cage_count: '1.0.0' }).load('cage_count')).toBe(first)
      expect(await registered.at({ cage_count: '2.9.0' }).load('cage_count')).toBe(second)
      // One that is not there, and a name that is not.
      expect(await registered.at({ cage_count: '3.0.0', no_such_verb: '1.0.0' }).load('cage_count')).toBe(third)
      expect((await registered.loadAll()).length).toBe(1)
    }
  })

  it('are seen by a view that was made before, and by names of function calling', async () => {
    const [old, now] = ['1.0.0', '2.0.0'].map((version) => ({ ...sample('zoo.feedAnimal'), version })) as [AnyVerb, AnyVerb]
    const registered = new VerbRegistry()
    const view = registered.at({ 'ZOO.feedAnimal': '1.1.1' })
    registered.register(now).register(old)
    expect([await view.load('zoo_feedanimal'), await registered.load('zoo_feedanimal')]).toEqual([old, now])
  })

  it('are refused twice, and where one is of no known version', () => {
    expect(() => new VerbRegistry([first, { ...first, version: '1.0.0' }])).toThrow('already registered')
    expect(() => new VerbRegistry([first, { name: 'cage_count', load: () => Promise.resolve(second) }])).toThrow('already registered')
    expect(() => new VerbRegistry([{ name: 'cage_count', load: () => Promise.resolve(second) }, first])).toThrow('already registered')
  })
})

describe('names', () => {
  it.each([
    ['zoo.feedAnimal', 'zoo.feedAnimal'], ['ZOO.FEEDANIMAL', 'zoo.feedAnimal'],
    // As function calling writes them, where dots are not allowed.
    ['zoo_feedAnimal', 'zoo.feedAnimal'], ['zoo_feedanimal', 'zoo.feedAnimal'],
    ['list_cages', 'list_cages'], ['List_Cages', undefined], ['list.cages', undefined], ['zoo', undefined],
  ])('%s finds %s', async (name, found) => {
    expect((await registry().load(name))?.name).toBe(found)
    expect(registry().has(name)).toBe(found !== undefined)
  })

  it.each(['zoo.feedanimal', 'zoo_feedAnimal', 'ZOO_FEEDANIMAL', 'list_cages', 'list.cages'])('%s is taken', (name) => {
    const verb = { ...sample('cage_count'), name }
    expect(() => registry().register(verb)).toThrow(`Verb '${name}' is already registered.`)
  })

  it('that differ in case alone are two where no dots are', () => {
    expect(registry().register({ ...sample('list_cages'), name: 'List_cages' }).names()).toContain('List_cages')
  })
})

describe('names for function calling', () => {
  it('have no dots', () => {
    expect(toolName('zoo.feedAnimal')).toBe('zoo_feedAnimal')
  })

  it('have at most 64 characters', () => {
    expect(openAiTool({ ...sample('cage_count'), name: 'a'.repeat(64) }).function.name).toHaveLength(64)
    expect(() => openAiTool({ ...sample('cage_count'), name: 'a'.repeat(65) })).toThrow(HermesError)
  })
})

describe("OpenAI's limit of 1024 characters", () => {
  it('leaves out whole rules', () => {
    const rules = ['a'.repeat(500), 'b'.repeat(600), 'c']
    const { description } = openAiTool({ ...sample('cage_count'), constraints: rules }).function
    expect(description).toBe(`Count the cages.\n- ${rules[0]}\n- c`)
    expect(description.length).toBeLessThanOrEqual(1024)
  })
})

describe('toolsets', () => {
  it.each([
    [['hermes'], ['zoo.feedAnimal', 'zoo.locate', 'zoo.showTree']],
    [['core'], ['list_cages']],
    [['clada'], ['cage_count']],
    [['read-only'], ['list_cages', 'cage_count']],
    [['edit'], ['zoo.feedAnimal', 'list_cages', 'cage_count']],
    [['execute'], ['zoo.locate']],
    [['git'], []],
    [['core', 'execute'], ['list_cages', 'zoo.locate']],
    [[], []],
  ])('%j', (names, expected) => {
    expect(SAMPLES.filter(selectToolsets(names)).map(({ name }) => name)).toEqual(expected)
  })

  it('with an unknown name are refused', () => {
    expect(() => selectToolsets(['reed-only'])).toThrow('Unknown toolset: reed-only')
    expect(TOOLSET_NAMES).toEqual([
      'clada', 'hermes', 'core', 'read-only', 'edit', 'execute', 'git', 'terminal', 'skills', 'cron', 'delegate', 'context', 'mcp', 'own', 'edit-formats',
    ])
  })
})
