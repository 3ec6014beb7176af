import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  addDialects, chosenFile, CONFIG_VERSION, migratePolicy, NEW_POLICY_FILE, parsePolicy, withPolicyValue,
} from '../../src/config/index.js'
import { MIGRATIONS, type Migration } from '../../src/config/migrate-policy.js'
import { policyWorld, PROJECT } from './policy-world.js'

afterEach(() => {
  vi.unstubAllEnvs()
})

const FILE = `# Ours, since 2026.
deny: [secret] # never
verbs:
  # Ask before commands.
  exec: ask # for now
limits:
  blocks: 5

# The end.
`
const user = (text: string) => ({ text, name: 'f.yaml', directory: undefined })
const set = (text: string, key: string, ...values: string[]) => withPolicyValue(user(text), key, values)
const unset = (text: string, key: string) => withPolicyValue(user(text), key, undefined)
const comments = (text: string): string[] => [...text.matchAll(/#.*/g)].map(([comment]) => comment)

describe('withPolicyValue', () => {
  it.each([
    ['verbs.exec', ['off'], FILE.replace('exec: ask', 'exec: off')],
    ['limits.blocks', ['200'], FILE.replace('blocks: 5', 'blocks: 200')],
    ['limits.written', ['5MB'], FILE.replace('blocks: 5\n', 'blocks: 5\n  written: 5MB\n')],
    ['verbs.git', ['off'], FILE.replace('# for now\n', '# for now\n  git: off\n')],
  ])('sets %s to %j and changes nothing else', async (key, values, expected) => {
    expect(await set(FILE, key, ...values)).toBe(expected)
  })

  it('keeps every comment, whatever is set or removed', async () => {
    for (const [key, value] of [['deny', 'x'], ['sandbox', 'bwrap'], ['allow', '[src, test]'], ['verbs.exec', 'on']] as const) {
      expect(comments(await set(FILE, key, value))).toEqual(comments(FILE))
    }
    expect(comments(await unset(FILE, 'deny'))).toEqual(expect.arrayContaining(['# Ours, since 2026.', '# The end.']))
  })

  it.each([
    [['*.sqlite', 'a b'], ['*.sqlite', 'a b']], [['[a, "b"]'], ['a', 'b']], [['one'], ['one']], [['12'], ['12']], [['no: x'], ['no: x']],
    [['[]'], []], [['&y', 'a#b'], ['&y', 'a#b']],
  ])('reads the entries %j of a list', async (written, deny) => {
    expect((await parsePolicy(await set('', 'deny', ...written), 'f', undefined)).values).toMatchObject({ deny })
  })

  it('sets permissions beside modules of verbs that are a list alone', async () => {
    const text = await set('verbs: [~/a.js] # mine\n', 'verbs.exec', 'ask')
    expect((await parsePolicy(text, 'f', undefined)).values).toEqual({ verbs: { modules: ['~/a.js'], exec: 'ask' } })
    expect(comments(text)).toEqual(['# mine'])
    const more = await set('verbs: [~/a.js]\n', 'verbs.modules', '~/b.js')
    expect((await parsePolicy(more, 'f', undefined)).values).toEqual({ verbs: { modules: ['~/b.js'] } })
  })

  it('removes a value, and a section that is empty then', async () => {
    expect(await unset(FILE, 'limits.blocks')).not.toMatch(/limits/)
    expect(await unset('deny: [x]\n', 'deny')).toBe('')
    expect(await unset(FILE, 'allow')).toBe(FILE)
  })

  it('begins a new file', async () => {
    const text = await set('', 'verbs.exec', 'off')
    expect(text).toBe('# Settings of hermes; hermes help policy describes them.\n\n_config_version: 1\nverbs:\n  exec: off\n')
    expect(await set(await unset(text, 'verbs.exec'), 'verbs.exec', 'off')).toBe(text)
    expect(await set('limits:\n  # blocks: 3\n', 'limits.blocks', '4')).toMatch(/# blocks: 3\n[^]*blocks: 4/)
  })

  it.each([
    ['verbs.exe', ['off'], 'INVALID_OPTION', 'Did you mean verbs.exec?'],
    ['blocks', ['3'], 'INVALID_OPTION', 'Did you mean limits.blocks?'],
    ['verbs', ['off'], 'INVALID_OPTION', 'Settings: '],
    ['verbs.exec', ['maybe'], 'INVALID_OPTION', 'Nothing was written'],
    ['limits.blocks', ['1', '2'], 'INVALID_OPTION', 'Nothing was written'],
    ['roots', ['relative'], 'INVALID_OPTION', 'Nothing was written'],
  ])('refuses %s = %j', async (key, values, code, hint) => {
    await expect(set(FILE, key, ...values)).rejects.toMatchObject({ code, hint: expect.stringContaining(hint) })
  })

  it('refuses a file that cannot be read, and what a project may not set', async () => {
    await expect(set('a: [', 'sandbox', 'none')).rejects.toMatchObject({ code: 'INVALID_POLICY' })
    await expect(withPolicyValue({ text: '', name: 'hermes.yaml', directory: '/p' }, 'readable', ['.env'])).rejects.toThrow("the user's to set")
  })
})

describe('migratePolicy', () => {
  const RENAMES: readonly Migration[] = [
    { to: 1, does: 'name the version', migrate: () => undefined },
    {
      to: 2, does: 'call deny what was forbid',
      migrate: (document) => {
        document.set('deny', document.get('forbid', true))
        document.delete('forbid')
      },
    },
  ]

  it('does the steps from the version of the file on, and keeps comments', async () => {
    const old = '# Ours.\nsandbox: auto # yes\nforbid: [a]\n'
    expect(await migratePolicy(user(old), RENAMES)).toEqual({
      from: 0, to: 2, steps: ['name the version', 'call deny what was forbid'],
      text: '# Ours.\nsandbox: auto # yes\ndeny: [a]\n_config_version: 2\n',
    })
    expect(await migratePolicy(user('_config_version: 1\nforbid: [a]\n'), RENAMES)).toMatchObject({ from: 1, to: 2, steps: ['call deny what was forbid'] })
  })

  it('leaves alone what is up to date or newer', async () => {
    for (const version of [2, 3]) {
      const text = `_config_version: ${version}\n`
      expect(await migratePolicy(user(text), RENAMES)).toEqual({ from: version, to: version, steps: [], text })
    }
  })

  it('has a step to the version of now, which new files have', async () => {
    expect(MIGRATIONS.at(-1)?.to).toBe(CONFIG_VERSION)
    expect((await migratePolicy(user(NEW_POLICY_FILE))).steps).toEqual([])
  })

  it('brings a file without a version to the one of now', async () => {
    const { text, to } = await migratePolicy(user('deny: [a]\n'))
    expect([text, to]).toEqual([`deny: [a]\n_config_version: ${CONFIG_VERSION}\n`, CONFIG_VERSION])
  })

  it('refuses what cannot be read, before and after', async () => {
    await expect(migratePolicy(user('[1]'))).rejects.toMatchObject({ code: 'INVALID_POLICY' })
    await expect(migratePolicy(user('forbid: [a]\n'), [{ to: 1, does: '', migrate: () => undefined }])).rejects.toThrow('unknown name forbid')
  })
})

describe('addDialects', () => {
  it.each([
    [undefined, '# Settings of hermes; hermes help policy describes them.\n\n_config_version: 1\ndialects:\n  - cline\n  - whole\n'],
    ['# Ours.\n', '# Ours.\n\ndialects:\n  - cline\n  - whole\n'],
    ['# Ours.\nsandbox: auto # yes\n\ndialects: [whole] # taught\n\n# End.\ndeny: [a]\n', '# Ours.\nsandbox: auto # yes\n\ndialects: [whole, cline] # taught\n\n# End.\ndeny: [a]\n'],
    ['dialects:\n  - whole # for edits\n  # and\n  - cline\n', 'dialects:\n  - whole # for edits\n  # and\n  - cline\n'],
  ])('adds what is not there, and keeps comments and order: %j', async (before, after) => {
    const { root } = policyWorld({ [PROJECT]: before })
    await addDialects(chosenFile(root, true), ['cline', 'whole'])
    expect(readFileSync(join(root, 'hermes.yaml'), 'utf8')).toBe(after)
  })

  it('changes no file that it cannot read', async () => {
    const { root } = policyWorld({ [PROJECT]: 'dialects: cline\n' })
    await expect(addDialects(chosenFile(root, true), ['whole'])).rejects.toMatchObject({ code: 'INVALID_POLICY' })
    expect(readFileSync(join(root, 'hermes.yaml'), 'utf8')).toBe('dialects: cline\n')
  })
})
