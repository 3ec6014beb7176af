import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { HermesError, type HermesOptions } from '../../../0-contracts/src/index.js'
import { loadPolicy, parsePolicy, projectPolicyFiles, userPolicyFile } from '../../src/config/index.js'
import { policyWorld, PROJECT, USER } from './policy-world.js'

afterEach(() => {
  vi.unstubAllEnvs()
})

async function load(root: string, policy?: HermesOptions['policy']) {
  return loadPolicy({ root, policy, wishes: { limits: {} } })
}

async function problem(root: string, policy?: HermesOptions['policy']): Promise<string> {
  const error: unknown = await load(root, policy).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(HermesError)
  const { code, message, hint } = error as HermesError
  expect(hint).toBeTruthy()
  return `${code} ${message}`
}

describe.skipIf(process.platform === 'win32')("the user's file", () => {
  it('is refused where other users can change it', async () => {
    const { home, root } = policyWorld({ [USER]: 'verbs: { exec: off }\n' })
    const file = join(home, '.hermes', 'config.yaml')
    for (const mode of [0o646, 0o666, 0o777]) {
      chmodSync(file, mode)
      expect(await problem(root)).toMatch(/^INVALID_POLICY ~\/\.hermes\/config\.yaml: can be changed by other users/)
      expect(await problem(root, file)).toContain('can be changed by other users')
    }
    for (const mode of [0o600, 0o644, 0o400]) {
      chmodSync(file, mode)
      expect((await load(root)).policy.verbs.exec.value).toBe('off')
    }
  })

  it.runIf(process.getuid?.() === 0)('is refused where a group can change it that is not its own alone', async () => {
    const { home, root } = policyWorld({ [USER]: 'verbs: { exec: off }\n' })
    const file = join(home, '.hermes', 'config.yaml')
    chmodSync(file, 0o664)
    chownSync(file, 0, 12_345)
    expect(await problem(root)).toContain('can be changed by other users')
    // As systems with a group for each user make it.
    chownSync(file, 0, 0)
    expect((await load(root)).policy.verbs.exec.value).toBe('off')
  })
})

describe('where policies are', () => {
  it('in the home of the user', () => {
    const { home } = policyWorld({})
    expect(userPolicyFile()).toBe(join(home, '.hermes', 'config.yaml'))
  })

  it("in the root, and above it up to the work tree's top", async () => {
    const { root } = policyWorld({
      [PROJECT]: 'verbs: { exec: off }\ndeny: [a/secret]', 'project/a/b/hermes.yaml': 'verbs: { exec: ask, git: ask }', 'hermes.yaml': 'deny: [x]',
    })
    const below = join(root, 'a', 'b')
    expect(projectPolicyFiles(below).map(({ name }) => name)).toEqual(['hermes.yaml', '../../hermes.yaml'])
    const { policy, paths } = await load(below)
    expect(policy.verbs).toMatchObject({
      exec: { value: 'off', by: '../../hermes.yaml:1' }, git: { value: 'ask', by: 'hermes.yaml:1' },
    })
    const secret = join(root, 'a', 'secret')
    expect(paths?.denies(secret, 'secret', 'read', () => false)).toBe('../../hermes.yaml:2')
  })

  it('also above a repository inside the work tree: a command could make one to be rid of the policy', async () => {
    const { root } = policyWorld({ [PROJECT]: 'verbs: { exec: off }', 'project/pkg/.git/HEAD': 'ref: refs/heads/main' })
    const { policy } = await load(join(root, 'pkg'))
    expect(policy.verbs.exec).toEqual({ value: 'off', by: '../hermes.yaml:1' })
  })

  it('outside of a work tree only in the root', () => {
    const { root, home } = policyWorld({ 'hermes.yaml': 'deny: [x]', 'home/hermes.yaml': 'deny: [y]' })
    rmSync(join(root, '.git'), { recursive: true })
    expect(projectPolicyFiles(root)).toEqual([])
    expect(projectPolicyFiles(home).map(({ name }) => name)).toEqual(['hermes.yaml'])
  })

  it('what is called otherwise is not read, and that is said', async () => {
    const { root } = policyWorld({ 'project/hermes.yml': 'verbs: { exec: off }', 'home/.hermes/config.yml': '' })
    const { warnings, policy } = await load(root)
    expect(policy.verbs.exec.value).toBe('on')
    expect(warnings).toEqual([
      'hermes.yml is not read: a policy is called hermes.yaml',
      '~/.hermes/config.yml is not read: a policy is called ~/.hermes/config.yaml',
    ])
  })

  it('also where it is called as other tools have it, or lies above the root', async () => {
    const { root } = policyWorld({
      'project/hermes.json': '{}', 'project/.hermes/config.yaml': '', 'project/sub/.hermes.json': '{}',
      'home/.hermes/hermes.yaml': '',
    })
    expect((await load(join(root, 'sub'))).warnings).toEqual([
      '.hermes.json is not read: a policy is called hermes.yaml',
      '../hermes.json is not read: a policy is called hermes.yaml',
      '../.hermes/config.yaml is not read: a policy is called hermes.yaml',
      '~/.hermes/hermes.yaml is not read: a policy is called ~/.hermes/config.yaml',
    ])
  })

  it("not said of the user's own where the home is the root", async () => {
    const { home } = policyWorld({ [USER]: '', 'home/.hermes/config.yml': '' })
    expect((await load(home)).warnings).toEqual([
      '~/.hermes/config.yml is not read: a policy is called ~/.hermes/config.yaml',
    ])
  })

  it('where HERMES_HOME is set, messages name the file that it has', async () => {
    const { root, home } = policyWorld({
      [PROJECT]: 'sandbox: none\ncommand_allowlist: [rm]', 'home/own/config.yml': '', 'home/own/config.yaml': 'sandbox: auto',
    })
    vi.stubEnv('HERMES_HOME', join(home, 'own'))
    const { warnings, policy } = await load(root)
    expect(policy.sandbox.by).toBe('~/own/config.yaml:1')
    expect(warnings).toEqual([
      '~/own/config.yml is not read: a policy is called ~/own/config.yaml',
      'hermes.yaml:1: sandbox: none has no effect: only ~/own/config.yaml or --sandbox can say so',
      'hermes.yaml:2: command_allowlist has no effect: a project can only narrow that of ~/own/config.yaml',
    ])
    vi.stubEnv('HERMES_HOME', join(root, '..', 'elsewhere'))
    await expect(parsePolicy('verbs: [~/own.js]', 'hermes.yaml', root)).rejects.toThrow(
      `hermes.yaml:1:1: verbs.modules is the user's to set, in ${join(root, '..', 'elsewhere', 'config.yaml')}`,
    )
  })

  it('nowhere: the defaults', async () => {
    const { root } = policyWorld({})
    expect(await load(root)).toMatchObject({ paths: undefined, warnings: [], policy: { verbs: { exec: { value: 'on' } } } })
  })
})

describe('the option policy', () => {
  it('stands in place of the file of the user, beside that of the project', async () => {
    const { root } = policyWorld({ [USER]: 'verbs: { git: off }', [PROJECT]: 'verbs: { write: ask }' })
    const { policy } = await load(root, { verbs: { exec: 'off' }, sandbox: 'none', limits: { file_size: '1KB' } })
    expect(policy).toMatchObject({
      sandbox: { value: 'none', by: "option 'policy'" },
      verbs: { git: { value: 'on' }, write: { value: 'ask' }, exec: { value: 'off', by: "option 'policy'" } },
    })
  })

  it('names a file', async () => {
    const { root } = policyWorld({ [USER]: 'verbs: { git: off }', 'other.yaml': 'verbs:\n  exec: ask\n' })
    const { policy } = await load(root, join(root, '..', 'other.yaml'))
    expect(policy.verbs).toMatchObject({ git: { value: 'on' }, exec: { value: 'ask' } })
    expect(policy.verbs.exec.by).toMatch(/other\.yaml:2$/)
  })

  it('that names no file is an error', async () => {
    const { root } = policyWorld({})
    expect(await problem(root, '/no/such/policy.yaml')).toBe('INVALID_POLICY /no/such/policy.yaml: there is no such file')
  })

  it('false: no file is read', async () => {
    const { root } = policyWorld({ [USER]: 'verbs: { git: off', [PROJECT]: ':' })
    expect((await load(root, false)).policy.verbs.git.value).toBe('on')
  })
})

describe('what cannot be read stops everything', () => {
  it.each<[name: string, plant: (file: string) => void, message: string]>([
    ['a directory', (file) => mkdirSync(file), 'is not a file'],
    ['a pipe that nobody writes to', (file) => execFileSync('mkfifo', [file]), 'is not a file'],
    ['a link', (file) => symlinkSync('/etc/hostname', file), 'is a link; the policy must be a file'],
    ['a link that leads nowhere', (file) => symlinkSync('nowhere', file), 'is a link; the policy must be a file'],
    ['too much', (file) => writeFileSync(file, `deny: [${'a, '.repeat(40_000)}]`), 'is larger than 64 KB'],
    ['no UTF-8', (file) => writeFileSync(file, Buffer.from([0x64, 0xff, 0xfe])), 'is not valid UTF-8'],
  ])('%s in place of hermes.yaml', async (_, plant, message) => {
    const { root } = policyWorld({})
    plant(join(root, 'hermes.yaml'))
    expect(await problem(root)).toBe(`INVALID_POLICY hermes.yaml: ${message}`)
  })

  it("the user's file may be a link, as keepers of settings make them", async () => {
    const { root, home } = policyWorld({ 'dotfiles/config.yaml': 'verbs: { exec: off }' })
    mkdirSync(join(home, '.hermes'))
    symlinkSync('../../dotfiles/config.yaml', join(home, '.hermes', 'config.yaml'))
    expect((await load(root)).policy.verbs.exec).toEqual({ value: 'off', by: '~/.hermes/config.yaml:1' })
  })

  it('both files are named by their lines', async () => {
    expect(await problem(policyWorld({ [USER]: 'verbs:\n  exec: maybe\n' }).root)).toBe(
      'INVALID_POLICY ~/.hermes/config.yaml:2:9: verbs.exec: write on, ask or off',
    )
  })
})
