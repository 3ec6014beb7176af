import { describe, expect, it } from 'vitest'
import { withinLimits } from '../../src/cron/job-rights.js'

const NONE = { allow: [], disabledToolsets: [] }

describe('the rights of a job that a model made', () => {
  it.each([
    ['a directory of the runner alone is closed', { allow: ['/a', '/b'] }, { allow: ['/b', '/c'] }, { allow: ['/b'] }],
    ['the runner has no sandbox, the conversation has', { sandbox: 'none' }, { sandbox: 'auto' }, { sandbox: 'auto' }],
    ['the runner has no sandbox, for the conversation the policy decides', { sandbox: 'none' }, {}, {}],
    ['the conversation had no sandbox', { sandbox: 'bwrap' }, { sandbox: 'none' }, { sandbox: 'bwrap' }],
    ['neither has one', { sandbox: 'none' }, { sandbox: 'none' }, { sandbox: 'none' }],
    ['a network of the runner alone', { network: true }, {}, {}],
    ['a network of the conversation alone', {}, { network: true }, {}],
    ['a network that the conversation had not', { network: true }, { network: false }, { network: false }],
    ['a network of both', { network: true }, { network: true }, { network: true }],
    ['hosts of the runner, of which the policy names one', { network: ['a.org', 'c.org'] }, {}, { network: ['a.org'] }],
    ['hosts of the conversation, of which the policy names one', {}, { network: ['a.org', 'c.org'] }, { network: ['a.org'] }],
    ['hosts that the policy does not name', {}, { network: ['c.org'] }, { network: false }],
    ['hosts of the conversation, all for the runner', { network: true }, { network: ['c.org'] }, { network: ['c.org'] }],
    ['hosts that both name', { network: ['a.org', 'c.org'] }, { network: ['c.org'] }, { network: ['c.org'] }],
    ['toolsets of the conversation', {}, { toolsets: ['skills'] }, { enabledToolsets: ['skills'] }],
    [
      'toolsets of both', { enabledToolsets: ['edit', 'skills'] }, { toolsets: ['skills', 'git'] },
      { enabledToolsets: ['skills'] },
    ],
    [
      'toolsets that either switches off', { disabledToolsets: ['git'] }, { disabledToolsets: ['execute'] },
      { disabledToolsets: ['git', 'execute'] },
    ],
  ] as const)('%s', (_, runner, limits, expected) => {
    const own = { ...runner, model: 'm' } as unknown as Parameters<typeof withinLimits>[0]
    const given = { ...NONE, ...limits } as unknown as Parameters<typeof withinLimits>[1]
    expect(withinLimits(own, given, ['a.org', 'b.org'])).toEqual({ model: 'm', ...NONE, ...expected })
  })
})
