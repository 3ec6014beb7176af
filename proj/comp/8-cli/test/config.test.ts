import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useCli, type CliOutcome } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'

const cli = useCli()
const PROJECT = '# Ours.\nverbs:\n  exec: ask # for now\n'

interface World {
  user: string
  project: string
  temporary: string
  run(args: readonly string[], env?: Record<string, string>): Promise<CliOutcome>
}

function world(project?: string, user?: string): World {
  const cwd = join(tempDir(), 'project')
  const [home, temporary] = [join(cwd, '..', 'home'), join(cwd, '..', 'tmp')]
  for (const directory of [cwd, join(home, '.hermes'), temporary]) mkdirSync(directory, { recursive: true })
  const files = { project: join(cwd, 'hermes.yaml'), user: join(home, '.hermes', 'config.yaml') }
  if (project !== undefined) writeFileSync(files.project, project)
  if (user !== undefined) writeFileSync(files.user, user)
  return { ...files, temporary, run: (args, env) => cli.run(['config', ...args], { cwd, env: { HOME: home, TMPDIR: temporary, ...env } }) }
}

describe('hermes config', () => {
  it('shows what counts, with the line it comes from', async () => {
    const { run } = world(PROJECT, 'deny: [secret, "*.key"]\nlimits: { blocks: 9 }\n')
    const { stdout, exitCode } = await run([])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^deny +secret +~\/\.hermes\/config\.yaml:1\n +\*\.key +~\/\.hermes\/config\.yaml:1\n/)
    expect(stdout).toMatch(/\nverbs\.exec +ask +hermes\.yaml:3\n/)
    expect(stdout).toMatch(/\nlimits\.blocks +9 +~\/\.hermes\/config\.yaml:2\n/)
    const { fields } = JSON.parse((await run(['show', '--json'])).stdout) as { fields: { name: string; values: unknown[] }[] }
    expect(fields.find(({ name }) => name === 'verbs.exec')?.values).toEqual([{ value: 'ask', from: 'hermes.yaml:3' }])
    expect((await run(['get', 'deny'])).stdout).toBe('secret\n*.key\n')
  })

  it('says which files there are', async () => {
    const { run, user, project } = world(PROJECT)
    expect((await run(['path'])).stdout).toBe(`user     ${user}  (not there)\nproject  ${project}\n`)
  })

  it('checks both files, and says all that is wrong', async () => {
    const bad = await world('deny: x\nverbs: { wirte: on }\n', 'sandbox: maybe\n').run(['check'])
    expect(bad).toMatchObject({ exitCode: 1, stderr: '' })
    expect(bad.stdout).toBe('✗  ~/.hermes/config.yaml:1:10: sandbox: write auto, bwrap, unshare or none\n'
      + '✗  hermes.yaml:1:7: deny: write a list, e.g. ["a", "b"]; [] for none\n'
      + '✗  hermes.yaml:2:10: unknown name verbs.wirte; did you mean write?\n')
    expect(await world(PROJECT).run(['check'])).toMatchObject({ exitCode: 0, stdout: '✓  1 file: hermes.yaml\n' })
    const newer = await world('_config_version: 1000\n').run(['check'])
    expect(newer).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('hermes.yaml:1: the file is of version 1000') })
    expect(await world('sandbox: none\n').run(['check'])).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('has no effect') })
  })

  it("sets the user's file, or the project's, and shows the difference", async () => {
    const { run, user, project } = world(PROJECT)
    const first = await run(['set', 'limits.blocks', '7'])
    expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('+  blocks: 7') })
    expect(readFileSync(user, 'utf8')).toBe('# Settings of hermes; hermes help policy describes them.\n\n_config_version: 1\nlimits:\n  blocks: 7\n')
    expect(statSync(user).mode & 0o777).toBe(0o600)
    await run(['set', 'verbs.exec', 'off', '--project'])
    expect(readFileSync(project, 'utf8')).toBe(PROJECT.replace('ask', 'off'))
    expect((await run(['set', 'verbs.exec', 'off', '--project'])).stdout).toBe('hermes.yaml says so already.\n')
    expect((await run(['get', 'limits.blocks'])).stdout).toBe('7\n')
    await run(['set', 'limits.blocks', '--unset'])
    expect((await run(['get', 'limits.blocks'])).stdout).toBe('100000\n')
  })

  it('writes nothing that is not valid, and leaves no temporary file', async () => {
    const { run, project } = world(PROJECT)
    const { exitCode, stderr } = await run(['set', 'verbs.exec', 'maybe', '--project'])
    expect([exitCode, stderr]).toEqual([2, 'hermes: verbs.exec: write on, ask or off\n  Nothing was written.\n'])
    expect(readFileSync(project, 'utf8')).toBe(PROJECT)
    expect(readdirSync(join(project, '..'))).toEqual(['hermes.yaml'])
  })

  it('takes what the editor wrote where it is valid; else it keeps the draft', async () => {
    const { run, project, temporary } = world(PROJECT)
    const edited = await run(['edit', '--project'], { EDITOR: 'sed -i s/ask/off/' })
    expect(edited).toMatchObject({ exitCode: 0, stderr: '' })
    expect(readFileSync(project, 'utf8')).toBe(PROJECT.replace('ask', 'off'))
    expect((await run(['edit', '--project'], { EDITOR: 'true' })).stdout).toBe('Nothing was changed.\n')
    expect(readdirSync(temporary)).toEqual([])
    const wrong = await run(['edit', '--project'], { EDITOR: 'sed -i s/off/never/' })
    expect(wrong).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/hermes\.yaml:3:9: .*\n {2}Nothing was written\. What you wrote is in /) })
    expect(readFileSync(/is in (.*)\n/.exec(wrong.stderr)?.[1] ?? '', 'utf8')).toBe(PROJECT.replace('ask', 'never'))
    expect(readFileSync(project, 'utf8')).toContain('off')
    expect(await run(['edit'], { EDITOR: 'false' })).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('The editor failed: false (exit code 1)') })
    expect(await run(['edit'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('EDITOR is not set') })
  })

  it('opens what is too large or no text, to be mended', async () => {
    const { run, user } = world()
    for (const bad of [Buffer.from('# caf\u00e9\ndeny: [a]\n', 'latin1'), Buffer.from(`#${'x'.repeat(70_000)}\ndeny: [a]\n`)]) {
      writeFileSync(user, bad)
      expect(await run(['edit'], { EDITOR: 'sed -i 1d' })).toMatchObject({ exitCode: 0, stderr: '', stdout: `${user} can be read again.\n` })
      expect(readFileSync(user, 'utf8')).toBe('deny: [a]\n')
    }
    expect(await run(['edit'], { EDITOR: 'rm' })).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('The editor left no copy') })
    expect(await run(['edit'], { EDITOR: 'true', TMPDIR: '/nowhere' })).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Cannot make a copy to edit in /nowhere') })
  })

  it('does not overwrite what somebody else wrote while the editor was open', async () => {
    const { run, project } = world(PROJECT)
    const { exitCode } = await run(['edit', '--project'], { EDITOR: `f() { echo 'deny: [mine]' > "$1"; echo 'deny: [theirs]' > ${project}; }; f` })
    expect([exitCode, readFileSync(project, 'utf8')]).toEqual([1, 'deny: [theirs]\n'])
  })

  it('loses nothing of what is set at the same time, and makes what a link leads to', async () => {
    const { run, user } = world()
    const target = join(user, '..', '..', 'dotfiles', 'config.yaml')
    symlinkSync('../dotfiles/config.yaml', user)
    const outcomes = await Promise.all(['limits.blocks', 'limits.file_size', 'limits.command_time', 'verbs.exec', 'verbs.git'].map((key, index) => (
      run(['set', key, key.startsWith('verbs') ? 'off' : key.endsWith('time') ? '9s' : String(index + 7)])
    )))
    expect(outcomes.map(({ exitCode, stderr }) => `${exitCode}${stderr}`)).toEqual(['0', '0', '0', '0', '0'])
    const text = readFileSync(target, 'utf8')
    for (const line of ['blocks: 7', 'file_size: 8', 'command_time: 9s', 'exec: off', 'git: off']) expect(text).toContain(line)
    expect([lstatSync(user).isSymbolicLink(), readdirSync(join(target, '..'))]).toEqual([true, ['config.yaml']])
  })

  it('takes patterns as they are written, and refuses what it could not read again', async () => {
    const { run, project } = world(PROJECT)
    expect((await run(['set', 'deny', 'C #notes.md', 'a  b', '"q"', '--project'])).exitCode).toBe(0)
    expect((await run(['get', 'deny'])).stdout).toBe('C #notes.md\na  b\nq\n')
    const before = readFileSync(project, 'utf8')
    const large = await run(['set', 'deny', ...Array.from({ length: 80 }, (_, index) => `${index}${'x'.repeat(900)}`), '--project'])
    expect([large.exitCode, large.stderr, readFileSync(project, 'utf8')]).toEqual([2, expect.stringContaining('larger than 64 KB'), before])
    expect(readdirSync(join(project, '..'))).toEqual(['hermes.yaml'])
  })

  it('shows what it would migrate, and writes it with --yes', async () => {
    const { run, project } = world(PROJECT)
    const shown = await run(['migrate'])
    expect(shown).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('hermes.yaml: version 0 to 1\n'), stderr: expect.stringContaining('nothing was written') })
    expect(readFileSync(project, 'utf8')).toBe(PROJECT)
    expect(await run(['migrate', '--yes'])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('+_config_version: 1') })
    expect(readFileSync(project, 'utf8')).toBe(`${PROJECT}_config_version: 1\n`)
    expect((await run(['migrate'])).stdout).toBe('Nothing to migrate.\n')
  })

  it.each([
    [['shw'], 'Did you mean show?'], [['set', 'verbs.exec'], 'no VALUE given'], [['get'], 'no KEY given'], [['show', '--unset'], 'takes no --unset'],
    [['get', 'deny', 'x'], 'Unexpected argument: x'], [['get', 'verbs.exe'], 'Did you mean verbs.exec?'], [['check', 'x'], 'Unexpected argument: x'],
  ])('refuses %j', async (args, message) => {
    const { exitCode, stderr } = await world().run(args)
    expect([exitCode, stderr.includes(message) || stderr]).toEqual([2, true])
  })
})
