import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { stringify } from 'yaml'
import type { Limits, PathAccess, Permission, PolicyOptions, SandboxMode } from '../../../0-contracts/src/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { loadPolicy, type LoadedPolicy, type PolicyWishes } from '../../src/config/index.js'
import { policyWorld } from './policy-world.js'

const PERMISSIONS: readonly Permission[] = ['on', 'ask', 'off']
const SANDBOXES: readonly SandboxMode[] = ['none', 'auto', 'unshare', 'bwrap']
const PATHS = ['a', 'a/b', 'A/b', 'a/b/c.ts', 'src', 'src/x.md', '.env', 'x.ts', '']
const ACCESS: readonly PathAccess[] = ['read', 'write', 'remove', 'list', 'show']
const VARIABLES = ['CI', 'NPM_TOKEN', 'LD_PRELOAD']

const permission = fc.constantFrom(...PERMISSIONS)
const some = <T>(...values: T[]) => fc.option(fc.array(fc.constantFrom(...values), { maxLength: 3 }), { nil: undefined })
const pattern = ['a', 'a/*', '**/*.ts', 'src/**', '*', '**', '/', '~', '{a,src}', 'A', '.env', '[ab]', 'x?ts', '.']
const ofProject = fc.record({
  roots: some('.', 'a', 'src', '/', '..', '~'),
  allow: some(...pattern),
  deny: some(...pattern),
  read_only: some(...pattern),
  verbs: fc.record({ read: permission, write: permission, exec: permission, git: permission, network: permission }, { requiredKeys: [] }),
  limits: fc.record({
    file_size: fc.constantFrom<number | string>(1, '1KB', '1TB'), output_size: fc.constantFrom<number | string>(5, '1GB'),
    command_time: fc.constantFrom<number | string>('1ms', 90, '24h'), run_time: fc.constantFrom<number | string>(1, '1000h'),
    blocks: fc.nat().map((n) => n + 1), written: fc.constantFrom<number | string>(1, '1TB'), processes: fc.nat().map((n) => n + 1),
    memory: fc.constantFrom<number | string>('1MB', '1TB'),
  }, { requiredKeys: [] }),
  command_allowlist: some('force push', 'recursive delete'),
  env: some('CI', 'NPM_*', '*'),
  sandbox: fc.constantFrom(...SANDBOXES),
}, { requiredKeys: [] })
const ofUser = fc.tuple(ofProject, some('.env', '*')).map(([policy, readable]) => (
  { ...policy, roots: undefined, readable }
))
const options: fc.Arbitrary<PolicyWishes> = fc.record({
  sandbox: fc.constantFrom(undefined, ...SANDBOXES), network: fc.constantFrom(undefined, true, false),
  limits: fc.constantFrom<Partial<Limits>>({}, { maxFileBytes: 7 }, { commandTimeoutMs: 5000, maxCommandTimeoutMs: 5000 }),
})

afterEach(() => {
  vi.unstubAllEnvs()
})

it("whatever a project's file says, with it nothing is allowed that is not allowed without", async () => {
  const { root } = policyWorld({})
  await fc.assert(fc.asyncProperty(ofUser, ofProject, options, async (user, project, wish) => {
    const policy = withoutUndefined(user) as PolicyOptions
    const file = join(root, 'hermes.yaml')
    rmSync(file, { force: true })
    const without = await load(root, policy, wish)
    writeFileSync(file, stringify(withoutUndefined(project)))
    const with_ = await load(root, policy, wish)
    // Refused outright is stricter than anything.
    if (with_ === undefined) return
    expect(without).toBeDefined()
    if (without) expectStricter(root, with_, without)
  }), { numRuns: 300 })
})

function expectStricter(root: string, one: LoadedPolicy, other: LoadedPolicy): void {
  for (const name of ['read', 'write', 'exec', 'git', 'network'] as const) {
    expect(PERMISSIONS.indexOf(one.policy.verbs[name].value)).toBeGreaterThanOrEqual(PERMISSIONS.indexOf(other.policy.verbs[name].value))
  }
  expect(SANDBOXES.indexOf(one.policy.sandbox.value)).toBeGreaterThanOrEqual(SANDBOXES.indexOf(other.policy.sandbox.value))
  for (const [name, value] of Object.entries(one.limits)) expect(value).toBeLessThanOrEqual(other.limits[name as keyof Limits] ?? Infinity)
  expect(other.policy.commandAllowlist).toEqual(expect.arrayContaining([...one.policy.commandAllowlist]))
  for (const name of VARIABLES) if (one.policy.passesEnv(name)) expect(other.policy.passesEnv(name)).toBe(true)
  expect(one.policy.terminal).toEqual(other.policy.terminal)
  for (const below of PATHS) {
    const path = join(root, below)
    if (one.paths?.opens(path, below)) expect(other.paths?.opens(path, below)).toBe(true)
    for (const access of ACCESS) {
      for (const isDirectory of [true, false]) {
        const denied = other.paths?.denies(path, below, access, () => isDirectory)
        if (denied !== undefined) expect(one.paths?.denies(path, below, access, () => isDirectory)).toBeDefined()
      }
    }
  }
}

async function load(root: string, policy: PolicyOptions, wishes: PolicyWishes): Promise<LoadedPolicy | undefined> {
  try {
    return await loadPolicy({ root, policy, wishes })
  } catch (error) {
    if (error instanceof HermesError && error.code === 'POLICY_DENIED') return undefined
    throw error
  }
}

function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined))
}
