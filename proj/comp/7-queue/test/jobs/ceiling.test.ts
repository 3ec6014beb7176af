import { describe, expect, it } from 'vitest'
import { beyondCeiling, underCeiling, type Ceiling } from '../../src/jobs/index.js'

const NONE: Ceiling = { network: false, yes: false }

describe('a job', () => {
  it.each<[asked: Parameters<typeof beyondCeiling>[0], flag: string]>([
    [{ sandbox: 'none' }, '--sandbox none'],
    [{ network: true }, '--network'],
    [{ yes: true }, '--yes'],
    [{ toolsets: ['read-only', 'execute'] }, '--toolset execute'],
  ])('that asks for %o is refused by a worker without %s', (asked, flag) => {
    expect(beyondCeiling(asked, { ...NONE, toolsets: ['read-only'] }, 'replay')).toMatchObject({ code: 'POLICY_DENIED', message: expect.stringContaining(flag) })
  })

  it('gets what the worker was started with', () => {
    const all: Ceiling = { sandbox: 'none', network: true, yes: true, toolsets: ['execute'] }
    const asked = { sandbox: 'none', network: true, yes: true, toolsets: ['execute'] } as const
    expect(beyondCeiling({ ...asked, toolsets: ['execute'] }, all, 'replay')).toBeUndefined()
    expect(underCeiling({ ...asked, toolsets: ['execute'] }, all)).toEqual({ ...asked })
  })

  it.each<[asked: Ceiling['sandbox'], own: Ceiling['sandbox'], got: string | undefined]>([
    [undefined, undefined, undefined], ['auto', undefined, undefined], ['bwrap', undefined, 'bwrap'],
    [undefined, 'none', 'none'], ['none', 'none', 'none'], ['auto', 'none', 'auto'], ['bwrap', 'none', 'bwrap'],
    [undefined, 'bwrap', 'bwrap'], ['auto', 'bwrap', 'bwrap'], ['bwrap', 'auto', 'bwrap'], ['auto', 'auto', 'auto'],
    // It does less than what the worker may find by itself.
    ['unshare', undefined, undefined], ['unshare', 'auto', 'auto'], ['unshare', 'bwrap', 'bwrap'], ['unshare', 'none', 'unshare'], ['auto', 'unshare', 'unshare'],
  ])('that asks for sandbox %s of a worker with %s gets %s', (asked, own, got) => {
    expect(underCeiling(asked === undefined ? {} : { sandbox: asked }, { ...NONE, sandbox: own }).sandbox).toBe(got)
  })

  it.each<[asked: Ceiling['network'] | undefined, own: Ceiling['network'], got: Ceiling['network'] | undefined]>([
    [undefined, false, undefined], [undefined, true, undefined], [false, true, false], [['a.org'], ['a.org', 'b.org'], ['a.org']],
    // The policy could let it reach more.
    [undefined, ['a.org'], false],
  ])('that asks for network %j of a worker with %j gets %j', (asked, own, got) => {
    expect(underCeiling(asked === undefined ? {} : { network: asked }, { ...NONE, network: own }).network).toEqual(got)
  })

  it('gets the shorter time, and the verbs of the worker where it names none', () => {
    expect(underCeiling({ timeoutMs: 5 }, { ...NONE, timeoutMs: 3 }).timeoutMs).toBe(3)
    expect(underCeiling({ timeoutMs: 2 }, { ...NONE, timeoutMs: 3 }).timeoutMs).toBe(2)
    expect(underCeiling({}, { ...NONE, timeoutMs: 3, toolsets: ['edit'] })).toEqual({ yes: false, timeoutMs: 3, toolsets: ['edit'] })
  })
})
