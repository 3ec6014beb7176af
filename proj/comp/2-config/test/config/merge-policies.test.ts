import { afterEach, describe, expect, it, vi } from 'vitest'
import { readGoldens } from '../../../../test/support/goldens.js'
import { HermesError, type HermesOptions, type Limits } from '../../../0-contracts/src/index.js'
import { DEFAULT_LIMITS, DEFAULT_POLICY, loadPolicy } from '../../src/config/index.js'
import { policyWorld, PROJECT, USER } from './policy-world.js'

const cases = readGoldens(new URL('../../test-data/config/merge.cases.md', import.meta.url))
const VARIABLES = ['CI', 'HOME', 'AWS_SECRET_ACCESS_KEY', 'NPM_CONFIG_REGISTRY', 'NPM_TOKEN']

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('loadPolicy merges', () => {
  it.each(cases)('$group: $name', async ({ fences }) => {
    const body = (info: string) => fences.find((fence) => fence.info === info)?.body
    const { root } = policyWorld({ [USER]: body('yaml user'), [PROJECT]: body('yaml project') })
    const options = JSON.parse(body('json options') ?? '{}') as HermesOptions
    const expected = body('json')
    expect(await outcome(root, options)).toEqual(expected === undefined ? body('error') : JSON.parse(expected))
  })
})

async function outcome(root: string, { sandbox, network, timeoutMs, limits = {} }: HermesOptions): Promise<unknown> {
  const time = timeoutMs === undefined ? {} : { commandTimeoutMs: timeoutMs, maxCommandTimeoutMs: timeoutMs }
  try {
    const loaded = await loadPolicy({ root, policy: undefined, wishes: { sandbox, network, limits: { ...limits as Partial<Limits>, ...time } } })
    const { verbs, passesEnv, ...policy } = loaded.policy
    const passes = VARIABLES.filter(passesEnv)
    return JSON.parse(JSON.stringify(different({
      verbs: different({ ...verbs }, DEFAULT_POLICY.verbs), ...different(policy, DEFAULT_POLICY), passes,
      limits: different({ ...loaded.limits }, DEFAULT_LIMITS), warnings: loaded.warnings, reading: loaded.reading,
    }, { verbs: {}, limits: {}, passes: [], warnings: [], reading: { formats: [] } })))
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    return `${error.code} ${error.message}`
  }
}

/** The fields that are not as in `others`. */
function different(fields: object, others: object): object {
  const known = others as Record<string, unknown>
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => (
    JSON.stringify(value) !== JSON.stringify(known[name])
  )))
}
