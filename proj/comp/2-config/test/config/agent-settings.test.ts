import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import {
  applyUserEnvironment, ENV_VARIABLES, loadPolicy, parsePolicy, readAgentSettings, storeEnvValues, withPolicyValue,
} from '../../src/config/index.js'
import { readEnvFile } from '../../src/config/agent/env-file.js'
import { withEnvValue } from '../../src/config/agent/edit-env-file.js'
import { valuesOf } from '../../src/config/agent/env-file.js'
import { policyWorld, PROJECT, USER } from './policy-world.js'

const ENV = 'home/.hermes/.env'
const KEY = 'sk-or-0123456789abcdef'

afterEach(() => vi.unstubAllEnvs())

function world(files: Record<string, string>): { home: string; root: string; settings: string } {
  const { home, root } = policyWorld(files)
  const settings = join(home, '.hermes')
  if (existsSync(join(settings, '.env'))) chmodSync(join(settings, '.env'), 0o600)
  return { home, root, settings }
}

it('takes each setting from where it counts most: flag, environment, .env, config.yaml, default', async () => {
  const { settings } = world({
    [USER]: 'model: of-the-file\nstyle: blocks\ntoolsets: [core]\nprices:\n  of-the-file: {input: 3, output: 15}\n',
    [ENV]: `HERMES_MODEL=of-env-file\nOPENROUTER_API_KEY=${KEY}\n`,
  })
  const all = await readAgentSettings({ HERMES_MODEL: 'of-the-environment' }, settings, { model: 'of-the-flag' })
  expect([all.model, all.from['model']]).toEqual(['of-the-flag', 'flag'])
  const environment = await readAgentSettings({ HERMES_MODEL: 'of-the-environment' }, settings)
  expect([environment.model, environment.from['model']]).toEqual(['of-the-environment', 'HERMES_MODEL'])
  const file = await readAgentSettings({ HERMES_MODEL: '' }, settings)
  expect([file.model, file.from['model']]).toEqual(['of-env-file', '~/.hermes/.env: HERMES_MODEL'])
  expect(file).toMatchObject({
    style: 'blocks', maxTurns: 20, toolsets: ['core'], apiKey: KEY, baseURL: 'https://openrouter.ai/api/v1',
    prices: { 'of-the-file': { input: 3, output: 15 } }, warnings: [],
  })
  expect([file.from['style'], file.from['maxTurns']]).toEqual(['~/.hermes/config.yaml:2', 'default'])
})

it('sends a key only to the server that it is for', async () => {
  const { settings } = world({ [ENV]: `OPENROUTER_API_KEY=${KEY}\n` })
  expect((await readAgentSettings({ OPENAI_BASE_URL: 'https://elsewhere.example/v1' }, settings)).apiKey).toBeUndefined()
  expect((await readAgentSettings({ OPENAI_BASE_URL: 'https://openrouter.ai.example/v1' }, settings)).apiKey).toBeUndefined()
  const { apiKey, baseURL } = await readAgentSettings({ OPENAI_API_KEY: 'sk-mine', OPENROUTER_API_KEY: '' }, world({}).settings)
  expect([apiKey, baseURL]).toEqual(['sk-mine', 'https://api.openai.com/v1'])
  await expect(readAgentSettings({ OPENAI_BASE_URL: 'http://elsewhere.example/v1' }, settings)).rejects.toThrow(/^OPENAI_BASE_URL: write an https/)
  await expect(readAgentSettings({}, settings, { baseURL: 'https://u:secret@e.example' })).rejects.toThrow(/no user or password/)
})

it("a project's file has no say in where keys go", async () => {
  const { root } = policyWorld({ [PROJECT]: 'base_url: https://elsewhere.example/v1\n' })
  await expect(loadPolicy({ root, policy: undefined, wishes: { limits: {} } })).rejects.toThrow("base_url is the user's to set")
})

it('an unknown personality is told with its place and the near name', async () => {
  const { settings } = world({ [USER]: '# mine\npersonality: consise\npersonalities: {pirate: Talk like a pirate.}\n' })
  await expect(readAgentSettings({}, settings)).rejects.toMatchObject({
    code: 'INVALID_POLICY', message: expect.stringMatching(/config\.yaml:2: there is no personality consise$/), hint: expect.stringContaining('Did you mean concise?'),
  })
  expect((await readAgentSettings({}, settings, { personality: 'pirate' })).personality?.text).toBe('Talk like a pirate.')
})

it('closes an .env that others can read, says so, and refuses one that others could change', async () => {
  const { settings } = world({ [ENV]: `OPENAI_API_KEY=${KEY}\n` })
  const path = join(settings, '.env')
  chmodSync(path, 0o644)
  const { warnings, values } = readEnvFile(settings)
  expect([warnings.length, statSync(path).mode & 0o777, values['OPENAI_API_KEY']]).toEqual([1, 0o600, KEY])
  expect(readEnvFile(settings).warnings).toEqual([])
  chmodSync(path, 0o620)
  expect(() => readEnvFile(settings)).toThrow('can be changed by other users')
})

it('writes keys with mode 600, and keeps comments, other lines and links', async () => {
  const { settings, home } = world({ [USER]: '', 'home/dotfiles/env': '# mine\nA=1 # one\nexport OPENAI_API_KEY=old\nB="x\ny"\n' })
  chmodSync(join(home, 'dotfiles/env'), 0o600)
  symlinkSync('../dotfiles/env', join(settings, '.env'))
  await storeEnvValues({ OPENAI_API_KEY: 'new key $1', A: undefined }, settings)
  expect(readFileSync(join(home, 'dotfiles/env'), 'utf8')).toBe("# mine\nOPENAI_API_KEY='new key $1'\nB=\"x\ny\"\n")
  const fresh = world({}).settings
  await storeEnvValues({ OPENAI_API_KEY: KEY }, fresh)
  expect([statSync(join(fresh, '.env')).mode & 0o777, readEnvFile(fresh).values]).toEqual([0o600, { OPENAI_API_KEY: KEY }])
  await expect(storeEnvValues({ OPENAI_API_KEY: 'a\nB=1' }, fresh)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
})

it('what is set is read again, and nothing else changes', () => {
  const name = fc.stringMatching(/^[A-Z][A-Z_]{0,4}$/)
  const value = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).filter((one) => !/[\0-\x1f\x7f]/.test(one))
  fc.assert(fc.property(fc.array(fc.tuple(name, value), { maxLength: 6 }), (pairs) => {
    let text = '# first\n'
    for (const [key, one] of pairs) {
      const before = valuesOf(text)
      try {
        text = withEnvValue(text, key, one)
      } catch (error) {
        expect(error).toMatchObject({ code: 'INVALID_OPTION' })
        continue
      }
      expect(valuesOf(text)).toEqual({ ...before, [key]: one })
    }
  }))
})

it('HERMES_HOME takes the place of ~/.hermes, and may not be where models work', async () => {
  const { root, home } = policyWorld({ 'elsewhere/config.yaml': 'verbs: {exec: off}\n', 'project/state/config.yaml': '' })
  const load = (allow: string[] = []) => loadPolicy({ root, allow, policy: undefined, wishes: { limits: {} } })
  vi.stubEnv('HERMES_HOME', join(home, '../elsewhere'))
  expect((await load()).policy.verbs.exec.value).toBe('off')
  vi.stubEnv('HERMES_HOME', join(root, 'state'))
  await expect(load()).rejects.toMatchObject({ code: 'POLICY_DENIED', message: `HERMES_HOME is in the root: ${root}/state` })
  symlinkSync(join(root, 'state'), join(home, 'link'))
  vi.stubEnv('HERMES_HOME', join(home, 'link'))
  await expect(load()).rejects.toMatchObject({ code: 'POLICY_DENIED' })
  symlinkSync(root, join(home, 'to-root'))
  vi.stubEnv('HERMES_HOME', join(home, 'to-root/not-there-yet'))
  await expect(load()).rejects.toMatchObject({ code: 'POLICY_DENIED' })
  const elsewhere = join(home, '../elsewhere')
  symlinkSync(elsewhere, join(home, 'to-elsewhere'))
  for (const named of [elsewhere, join(home, 'to-elsewhere'), join(elsewhere, 'below')]) {
    vi.stubEnv('HERMES_HOME', named)
    await expect(load([elsewhere])).rejects.toMatchObject({
      code: 'POLICY_DENIED', message: expect.stringContaining(`in the --allow directory ${elsewhere}: `) as string,
    })
  }
  vi.stubEnv('HERMES_HOME', join(home, '.hermes'))
  expect((await load([home])).policy.verbs.exec.value).toBe('on')
  vi.stubEnv('HERMES_HOME', 'state')
  await expect(load()).rejects.toMatchObject({ code: 'INVALID_OPTION' })
})

it('what .env says of hermes itself comes into the environment, where that says nothing', () => {
  vi.stubEnv('HERMES_MODEL', 'mine')
  vi.stubEnv('TERMINAL_SSH_HOST', '')
  applyUserEnvironment({ env: { HERMES_MODEL: 'other', TERMINAL_SSH_HOST: 'box', PATH_OF_OTHERS: 'x' } })
  expect([process.env['HERMES_MODEL'], process.env['TERMINAL_SSH_HOST'], process.env['PATH_OF_OTHERS']]).toEqual(['mine', 'box', undefined])
})

it('sets nested fields, and removes what is empty then', async () => {
  const set = (text: string, key: string, ...values: string[]) => (
    withPolicyValue({ text, name: 'c', directory: undefined }, key, values.length === 0 ? undefined : values)
  )
  const one = await set('gateway: # mine\n', 'gateway.slack.allowed_users', 'U1', 'U2')
  expect((await parsePolicy(one, 'c', undefined)).values.gateway).toEqual({ slack: { allowed_users: ['U1', 'U2'] } })
  expect(one).toContain('# mine')
  expect((await parsePolicy(await set(`${one}model: x\n`, 'gateway.slack.allowed_users'), 'c', undefined)).values).toEqual({ model: 'x' })
})

it('each variable says what it is for, and secrets are marked', () => {
  for (const one of ENV_VARIABLES) expect([one.description.length > 3, one.prompt.length > 3, one.tools.length > 0]).toEqual([true, true, true])
  expect(ENV_VARIABLES.filter(({ password }) => password).map(({ name }) => name)).toContain('SUDO_PASSWORD')
})

it('a pipe or a directory in the place of .env is refused, and nothing waits', () => {
  const { settings } = world({ [`${ENV}/x`]: '' })
  expect(() => readEnvFile(settings)).toThrow('is not a file')
  const other = world({ [USER]: '' }).settings
  execFileSync('mkfifo', ['-m', '600', join(other, '.env')])
  expect(() => readEnvFile(other)).toThrow('is not a file')
})
