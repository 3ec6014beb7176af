import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCampaign } from '../../../../test/support/campaign.js'
import { argsJsonSchema, validateCall, VerbRegistry } from '../../../1-registry/src/registry/index.js'
import { VERBS } from '../../src/verbs/index.js'
import { valuesFor } from './schema-values.js'

/** The one rule of a run that no schema states: paths of SHAM actions are absolute unless relative ones are allowed. */
const rules = { relativePaths: true, root: '/', rootAliases: [] }

describe('validation judges as a JSON Schema validator does on the derived schema', () => {
  it.each(VERBS)('$name', async ({ load }) => {
    const verb = await load()
    const schema = argsJsonSchema(verb)
    const accepts = new Ajv2020({ strict: true, strictRequired: false }).compile(schema)
    const seen = { accepted: 0, refused: 0 }
    fc.assert(fc.property(valuesFor(schema), (value) => {
      const checked = validateCall(verb, 'envelope', value, rules)
      if (!checked.ok) for (const { message, hint } of checked.errors) expectOneLine(message, hint)
      // What holds between parameters no schema states.
      const valid = validateCall({ ...verb, check: () => undefined }, 'envelope', value, rules)
      const expected = accepts(value)
      seen[expected ? 'accepted' : 'refused']++
      if (valid.ok !== expected) {
        const verdicts = [value, valid, accepts.errors].map((each) => JSON.stringify(each)?.slice(0, 300))
        expect.fail(`${verdicts[0]}: hermes ${verdicts[1]}, ajv ${verdicts[2]}`)
      }
      if (!valid.ok) expect(checked).toEqual(valid)
    }), { numRuns: 300 })
    // Few values may by chance be of one kind only.
    if (isCampaign) expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(15)
  })
})

function expectOneLine(message: string, hint: string | undefined): void {
  expect(message.length).toBeGreaterThan(5)
  // What was written may hold line breaks; what is said about it holds none of its own.
  expect(JSON.stringify(message).length).toBeLessThan(2_000)
  expect(hint?.length ?? 0).toBeGreaterThan(5)
}

describe('where validation refuses what a JSON Schema validator accepts', () => {
  it.each([
    ['half of a surrogate pair', { command: 'echo \ud83d' }, 'Invalid value for command: half of a surrogate pair'],
    ['the same in a nested value', { command: 'a', env: { A: '\udc00' } }, 'Invalid value for env.A: half of a surrogate pair'],
    ['a name that would be lost', { command: 'a', env: { constructor: 'x' } }, 'Invalid value for env: the name constructor cannot be used'],
    ['the name __proto__', { command: 'a', env: JSON.parse('{"__proto__": "x"}') as object }, 'Invalid value for env: the name __proto__ cannot be used'],
  ])('%s', async (_, value, message) => {
    const verb = await new VerbRegistry(VERBS).load('execute_command')
    expect(verb && validateCall(verb, 'envelope', value, rules)).toMatchObject({ ok: false, code: 'INVALID_PARAMETER', message })
  })

  it('a relative path of a SHAM action', async () => {
    const verb = await new VerbRegistry(VERBS).load('file_read')
    const outcome = verb && validateCall(verb, 'envelope', { path: 'a' }, { ...rules, relativePaths: false })
    expect(outcome).toMatchObject({ ok: false, message: 'Invalid absolute path: a' })
  })
})
