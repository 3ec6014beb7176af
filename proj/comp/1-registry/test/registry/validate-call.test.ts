import { describe, expect, it } from 'vitest'
import type { BlockFormat } from '../../../0-contracts/src/index.js'
import { validateCall } from '../../src/registry/index.js'
import { sample } from './sample-verbs.js'

const rules = { relativePaths: false, root: '/home/me', rootAliases: ['/workspace'] }
const food = [{ name: 'hay', grams: 1 }]

function judge(name: string, params: unknown, format: BlockFormat = 'envelope'): unknown {
  const outcome = validateCall(sample(name), format, params, rules)
  if (outcome.ok) return { args: outcome.args, ...(outcome.warning !== undefined && { warning: outcome.warning }) }
  return outcome.errors.map(({ code, message, hint }) => [code, message, hint])
}

describe('arguments that are no object', () => {
  it.each([
    [[], 'a list'], [null, 'null'], ['{"animal": "Bo"}', '"{\\"animal\\": \\"Bo\\"}"'], [5, '5'], [undefined, 'nothing'],
  ])('%j', (params, shown) => {
    expect(judge('zoo.feedAnimal', params)).toEqual([[
      'INVALID_PARAMETER', `The arguments of zoo.feedAnimal must be an object, got ${shown}`,
      'Write {"animal":"Bo","menu":[{"name":"hay","grams":500}]}.',
    ]])
  })
})

/** One wrong value each; the hint goes on with what the parameter is for. */
const WRONG: readonly [params: object, code: string, message: string, hint: string][] = [
  [{ animal: 5 }, 'INVALID_PARAMETER', 'Invalid value for animal: expected a string, got 5', 'Write it in quotes, as it stands there. animal: Its name.'],
  [{ animal: null }, 'INVALID_PARAMETER', 'Invalid value for animal: expected a string, got null', 'Write a string. animal: Its name.'],
  [{ animal: ['Bo'] }, 'INVALID_PARAMETER', 'Invalid value for animal: expected a string, got a list', 'Write a string. animal: Its name.'],
  [{ animal: '' }, 'INVALID_PARAMETER', 'Invalid value for animal: 0 characters, at least 1 needed', 'Write at least 1 character. animal: Its name.'],
  [{ animal: '😀'.repeat(81) }, 'INVALID_PARAMETER', 'Invalid value for animal: 81 characters, at most 80 allowed', 'Write at most 80 characters. animal: Its name.'],
  [{ animal: 'a\ud83d' }, 'INVALID_PARAMETER', 'Invalid value for animal: half of a surrogate pair', 'Write the character itself, or both \\u escapes of its pair.'],
  [{ menu: 'hay' }, 'INVALID_PARAMETER', 'Invalid value for menu: expected a list of objects, got "hay"', 'Write ["hay"]. menu: What it gets.'],
  [{ menu: [food[0], 'hay'] }, 'INVALID_PARAMETER', 'Invalid value for menu.1: expected an object, got "hay"', 'Write an object.'],
  [{ menu: [{ name: 'hay' }] }, 'MISSING_PARAMETER', 'Missing required parameter: menu.0.grams', 'Add menu.0.grams.'],
  [{ menu: [{ name: 'hay', grams: '5' }] }, 'INVALID_PARAMETER', 'Invalid value for menu.0.grams: expected a number, got "5"', 'Write a number.'],
  [{ menu: [{ ...food[0], salt: 1 }] }, 'UNKNOWN_PARAMETER', 'Unknown parameter: menu.0.salt', 'Leave it out.'],
  [{ mood: 'Calm' }, 'INVALID_PARAMETER', 'Invalid enum value: Calm. Allowed: calm, wild', 'Write one of: calm, wild. mood: How it is today.'],
  [{ mood: 5 }, 'INVALID_PARAMETER', 'Invalid enum value: 5. Allowed: calm, wild', 'Write one of: calm, wild. mood: How it is today.'],
  [{ portions: '3' }, 'INVALID_PARAMETER', 'Invalid integer value: "3"', 'portions is an integer; write 3 without quotes. portions: How many times.'],
  [{ portions: 1.5 }, 'INVALID_PARAMETER', 'Invalid integer value: 1.5', 'portions is an integer. portions: How many times.'],
  [{ portions: 0 }, 'INVALID_PARAMETER', 'Invalid value for portions: 0 is less than 1', 'Write a number of at least 1. portions: How many times.'],
  [{ portions: 10 }, 'INVALID_PARAMETER', 'Invalid value for portions: 10 is more than 9', 'Write a number of at most 9. portions: How many times.'],
  [{ factor: 'much' }, 'INVALID_PARAMETER', 'Invalid number value: "much"', 'factor is a number. factor: Of each weight.'],
  [{ quietly: 'True' }, 'INVALID_PARAMETER', 'Invalid boolean value: "True"', 'quietly is true or false; write true without quotes. quietly: Without a word. Default: true.'],
  [{ labels: [] }, 'INVALID_PARAMETER', 'Invalid value for labels: expected an object, got a list', 'Write an object such as {"NAME": "value"}. labels: Notes by name.'],
  [{ labels: { A: 1 } }, 'INVALID_PARAMETER', 'Invalid value for labels.A: expected a string, got 1', 'Write it in quotes, as it stands there.'],
  [{ labels: { constructor: 'x' } }, 'INVALID_PARAMETER', 'Invalid value for labels: the name constructor cannot be used', 'Use another name.'],
  [{ helpers: ['a', 2] }, 'INVALID_PARAMETER', 'Invalid value for helpers.1: expected a string, got 2', 'Write it in quotes, as it stands there.'],
  [{ helpers: null }, 'INVALID_PARAMETER', 'Invalid value for helpers: expected a list of strings, got null', 'Write a list of strings, or leave it out. helpers: Who helps.'],
  [{ helper: ['a'] }, 'UNKNOWN_PARAMETER', 'Unknown parameter: helper', 'Write helpers. zoo.feedAnimal takes animal, menu, treat?, mood?, portions?, factor?, quietly?, labels?, helpers?, until?.'],
]

describe('one wrong value', () => {
  it.each(WRONG)('%j', (params, code, message, hint) => {
    expect(judge('zoo.feedAnimal', { animal: 'Bo', menu: food, ...params })).toEqual([[code, message, hint]])
  })

  it.each([
    ['../a.txt', 'Write a path inside the root, without "..". path: Where to look, e.g. "north".'],
    ['src/../a.txt', 'Write a.txt. path: Where to look, e.g. "north".'],
    ['/w/src/x/../../a.txt', 'Write /w/a.txt. path: Where to look, e.g. "north".'],
    ['src\\..\\a.txt', 'Write a.txt. path: Where to look, e.g. "north".'],
    ['/..', 'Write a path inside the root, without "..". path: Where to look, e.g. "north".'],
  ])('the path %s', (path, hint) => {
    expect(judge('list_cages', { path })).toEqual([
      ['INVALID_PARAMETER', 'Invalid value for path: a path must not contain ".."', hint],
    ])
  })

  it('a path that only looks like one that leads out', () => {
    for (const path of ['..a/b..', 'a...b', '.../x', '.']) expect(judge('list_cages', { path })).toEqual({ args: { path } })
  })
})

describe('several errors', () => {
  it('are all there, the first first', () => {
    const outcome = validateCall(sample('zoo.feedAnimal'), 'tool_call', { menus: [], portions: 99, mood: 'bad' }, rules)
    expect(outcome).toMatchObject({ ok: false, code: 'MISSING_PARAMETER', message: 'Missing required parameter: animal' })
    expect(!outcome.ok && outcome.errors.map(({ message }) => message)).toEqual([
      'Missing required parameter: animal',
      'Missing required parameter: menu',
      'Unknown parameter: menus',
      'Invalid enum value: bad. Allowed: calm, wild',
      'Invalid value for portions: 99 is more than 9',
    ])
  })
})

describe('values of SHAM blocks', () => {
  const given = { action: 'zoo.feedAnimal', animal: 'Bo', menu: '' }
  it.each([
    [{ factor: '0.25' }, { factor: 0.25 }],
    [{ factor: '-1e-3' }, { factor: -0.001 }],
    [{ portions: '7' }, { portions: 7 }],
    [{ quietly: 'false' }, { quietly: false }],
    [{ helpers: 'a\n\nb c\n' }, { helpers: ['a', 'b c'] }],
    [{ helpers: '["a", "b\\nc"]' }, { helpers: ['a', 'b\nc'] }],
    [{ helpers: '[id].ts' }, { helpers: ['[id].ts'] }],
    [{ helpers: '[1]' }, { helpers: ['[1]'] }],
    [{ labels: '{"NAME": "value"}' }, { labels: { NAME: 'value' } }],
    [{ labels: ' {} ' }, { labels: {} }],
    [{ treat: '{"name": "hay", "grams": 0.5}' }, { treat: { name: 'hay', grams: 0.5 } }],
  ])('%j', (params, converted) => {
    expect(judge('zoo.feedAnimal', { ...given, ...params }, 'sham')).toMatchObject({ args: converted })
  })

  it.each([
    [{ factor: 'NaN' }, 'Invalid number value: NaN', 'factor is a number.'],
    [{ factor: '0x10' }, 'Invalid number value: 0x10', 'factor is a number.'],
    [{ factor: '1e999' }, 'Invalid number value: 1e999', 'factor is a number.'],
    [{ portions: '1.0' }, 'Invalid integer value: 1.0', 'portions is an integer.'],
    [{ labels: '[]' }, 'Invalid object value: []', 'labels is the JSON text of an object, e.g. labels = "{\\"NAME\\": \\"value\\"}".'],
    [{ labels: 'A=1' }, 'Invalid object value: A=1', 'labels is the JSON text of an object, e.g. labels = "{\\"NAME\\": \\"value\\"}".'],
    [{ labels: '{"__proto__": "x"}' }, 'Invalid value for labels: the name __proto__ cannot be used', 'Use another name.'],
  ])('%j', (params, message, hint) => {
    expect(judge('zoo.feedAnimal', { ...given, ...params }, 'sham')).toEqual([['INVALID_PARAMETER', message, hint]])
  })

  it('unknown ones are a warning', () => {
    expect(judge('zoo.feedAnimal', { ...given, moods: 'calm', '@note': '1' }, 'sham')).toMatchObject({
      warning: 'Unknown parameter ignored: moods (did you mean mood?)',
    })
  })
})

describe('absolute paths', () => {
  it('may be asked for in every format', () => {
    expect(judge('cage_count', { path: 'zoo' })).toEqual([[
      'INVALID_PARAMETER', 'Invalid absolute path: zoo', 'Write /workspace/zoo or /home/me/zoo, or run with --relative-paths.',
    ]])
  })
})
