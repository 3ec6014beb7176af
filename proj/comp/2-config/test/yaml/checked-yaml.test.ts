import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { HermesError, notArray } from '../../../0-contracts/src/index.js'
import { readCheckedYaml } from '../../src/yaml/index.js'

const SCHEMA = notArray(v.strictObject({
  size: v.optional(v.number('write a number')),
  who: v.optional(v.strictObject({ name: v.string('write a name'), tags: v.optional(v.array(v.string('write a text'))) }, 'write a mapping')),
}, 'write a mapping'))
const read = (text: string) => readCheckedYaml({ text, name: 'f.yaml', code: 'INVALID_MAPPING', hint: 'See there.' }, SCHEMA)

async function problems(text: string): Promise<string[]> {
  const error: unknown = await read(text).catch((thrown: unknown) => thrown)
  if (!(error instanceof HermesError)) throw new Error('no error')
  expect(error.code).toBe('INVALID_MAPPING')
  return [error.message, ...(error.hint ?? '').split('\n').slice(2)]
}

describe('readCheckedYaml', () => {
  it('gives values and their places', async () => {
    const { values, place, error } = await read('# first\nsize: 3\nwho:\n  name: a\n  tags:\n    - x\n    - y\n')
    expect(values).toEqual({ size: 3, who: { name: 'a', tags: ['x', 'y'] } })
    expect([place(['size']), place(['who', 'tags', 1]), place(['who'], true), place(['who', 'missing'])]).toEqual([
      'f.yaml:2:7', 'f.yaml:7:7', 'f.yaml:3:1', 'f.yaml:4:3',
    ])
    expect(error(['size'], 'too small').message).toBe('f.yaml:2:7: too small')
    expect((await read('')).values).toEqual({})
  })

  it.each([
    ['size: big', ['f.yaml:1:7: size: write a number']],
    ['sice: 1', ['f.yaml:1:1: unknown name sice; did you mean size?']],
    ['- 1', ['f.yaml:1:1: write a mapping']],
    ['who:\n  name: a\n  tag: []\nsize: x', ['f.yaml:3:3: unknown name who.tag; did you mean tags?', 'f.yaml:4:7: size: write a number']],
    ['who: 7', ['f.yaml:1:6: who: write a mapping']],
    ['size: 1\nsize: 2', ['f.yaml:2:1: Map keys must be unique']],
    ['size: *x', ['f.yaml:1:7: aliases are not read; write the value out']],
    ['size: !!js/x 1', ['f.yaml:1:7: Unresolved tag: tag:yaml.org,2002:js/x']],
    ['a: 1\n---\nb: 2', ['f.yaml:2:1: only one document is read']],
  ])('tells what is wrong and where: %.30s', async (text, expected) => {
    expect(await problems(text)).toEqual(expected)
  })

  it('is not brought down by nesting', async () => {
    expect((await problems('['.repeat(20_000)))[0]).toMatch(/^f\.yaml:1:\d+: nested too deeply$/)
  })
})
