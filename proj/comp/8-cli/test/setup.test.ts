import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { plainEnvironment, useCli } from '../../../test/support/cli.js'
import { parsePolicy } from '../../2-config/src/config/index.js'
import { plannedSteps, takeStep } from '../../7-setup/src/setup/index.js'
import { POLICY_TEMPLATE, WORKFLOW_TEMPLATE } from '../../7-setup/src/index.js'
import { TOPICS, manPage } from '../../7-setup/src/help-texts/index.js'
import { COMMANDS } from '../src/commands.js'

const cli = useCli()

describe('hermes init', () => {
  it('writes what is not there, and nothing a second time', async () => {
    const cwd = tempDir()
    mkdirSync(join(cwd, '.git'))
    writeFileSync(join(cwd, '.gitignore'), 'node_modules')
    writeFileSync(join(cwd, '.dockerignore'), '.hermes\n')
    expect((await cli.run(['init', '--yes'], { cwd })).exitCode).toBe(0)
    expect(readFileSync(join(cwd, 'hermes.yaml'), 'utf8')).toBe(POLICY_TEMPLATE)
    expect(readFileSync(join(cwd, '.gitignore'), 'utf8')).toBe('node_modules\n.hermes/\n')
    expect(readFileSync(join(cwd, '.dockerignore'), 'utf8')).toBe('.hermes\n')
    expect(readFileSync(join(cwd, '.github', 'workflows', 'hermes.yml'), 'utf8')).toBe(WORKFLOW_TEMPLATE)
    expect((await cli.run(['init', '--yes'], { cwd })).stdout).toBe('Everything is there already.\n')
  })

  it('accepts a repository that a command made, where a run is refused until then', async () => {
    const cwd = realpathSync(tempDir())
    const env = { HERMES_HOME: join(cwd, 'settings') }
    const sub = join(cwd, 'project', 'sub')
    mkdirSync(join(cwd, 'project'))
    const input = '<tool_call>{"name": "execute_command", "arguments": {"command": "git init -q sub"}}</tool_call>\n'
    const made = await cli.run(['apply', '--no-git', '--sandbox', 'none'], { cwd: join(cwd, 'project'), env, input })
    expect([made.exitCode, made.stderr]).toEqual([0, ''])
    const list = '<tool_call>{"name": "list_directory", "arguments": {"path": "."}}</tool_call>\n'
    for (const args of [['apply'], ['step-back']]) {
      const refused = await cli.run(args, { cwd: sub, env, input: list })
      expect([refused.exitCode, refused.stderr + refused.stdout], args[0]).toEqual([args[0] === 'apply' ? 2 : 1, expect.stringContaining(`made ${join(sub, '.git')}`)])
    }
    expect((await cli.run(['init', '--trust'], { cwd: sub, env })).stdout).toBe(`Accepted: ${join(sub, '.git')}\n`)
    expect(await cli.run(['apply'], { cwd: sub, env, input: list })).toMatchObject({ exitCode: 0 })
    expect((await cli.run(['init', '--trust'], { cwd: sub, env })).stdout).toBe('Nothing here was made by a command.\n')
  })

  it('replaces nothing that is there, and writes nothing where nobody says so', async () => {
    const cwd = tempDir()
    const refused = await cli.run(['init'], { cwd })
    expect([refused.exitCode, refused.stderr, existsSync(join(cwd, 'hermes.yaml'))]).toEqual([2, expect.stringContaining('nobody to ask'), false])
    writeFileSync(join(cwd, 'hermes.yaml'), 'deny: [mine]\n')
    expect((await cli.run(['init', '--yes'], { cwd })).stdout).toContain('hermes.yaml  left as it is')
    expect(readFileSync(join(cwd, 'hermes.yaml'), 'utf8')).toBe('deny: [mine]\n')
  })

  it('leaves what came, and keeps what was changed, between the question and the answer', () => {
    const root = tempDir()
    mkdirSync(join(root, '.git'))
    writeFileSync(join(root, '.gitignore'), 'a\n')
    writeFileSync(join(root, 'hermes.yaml'), 'deny: [a]\n')
    const [replace, add, create] = plannedSteps(root)
    if (!replace || !add || !create) throw new Error('three steps')
    writeFileSync(join(root, 'hermes.yaml'), 'deny: [b]\n')
    writeFileSync(join(root, '.gitignore'), 'a\nb\n')
    mkdirSync(join(root, '.github', 'workflows'), { recursive: true })
    writeFileSync(join(root, create.path), 'theirs')
    expect([replace, add, create].map((step) => takeStep(root, step))).toEqual([
      'was changed meanwhile: left as it is', undefined, 'was changed meanwhile: left as it is',
    ])
    const texts = ['hermes.yaml', '.gitignore', create.path].map((path) => readFileSync(join(root, path), 'utf8'))
    expect(texts).toEqual(['deny: [b]\n', 'a\nb\n.hermes/\n', 'theirs'])
    expect(takeStep(root, add)).toBe('is there meanwhile')
  })

  it('leaves links, and writes through none that leads out of the root', async () => {
    const [cwd, outside] = [tempDir(), tempDir()]
    mkdirSync(join(cwd, '.git'))
    writeFileSync(join(outside, 'ignore'), 'mine\n')
    symlinkSync(join(outside, 'ignore'), join(cwd, '.gitignore'))
    symlinkSync(outside, join(cwd, '.github'))
    const { exitCode, stdout } = await cli.run(['init', '--yes'], { cwd })
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('–  .gitignore  is a link: left as it is\n–  .github/workflows/hermes.yml  leads out of the root')])
    expect([readdirSync(outside), readFileSync(join(outside, 'ignore'), 'utf8')]).toEqual([['ignore'], 'mine\n'])
    expect(readFileSync(join(cwd, '.gitignore'), 'utf8')).toBe('mine\n')
  })

  it('adds its line to the bytes that are there, with their ends of lines and their mode', async () => {
    const cwd = tempDir()
    mkdirSync(join(cwd, '.git'))
    const before = Buffer.from('caf\u00e9\r\nx', 'latin1')
    writeFileSync(join(cwd, '.gitignore'), before)
    chmodSync(join(cwd, '.gitignore'), 0o664)
    await cli.run(['init', '--yes'], { cwd })
    expect(readFileSync(join(cwd, '.gitignore'))).toEqual(Buffer.concat([before, Buffer.from('\r\n.hermes/\r\n')]))
    expect(statSync(join(cwd, '.gitignore')).mode & 0o777).toBe(0o664)
  })

  it('ends with 130 after Ctrl-C at a question, and writes nothing', () => {
    const cwd = tempDir()
    const driver = new URL('drive-terminal.py', import.meta.url).pathname
    const steps = JSON.stringify([['Write hermes.yaml', '\u0003']])
    const shown = execFileSync('python3', [driver, steps, process.execPath, cli.path, 'init', '--root', cwd], { encoding: 'utf8', env: plainEnvironment() })
    expect(JSON.parse(shown)).toMatchObject({ exit: 130, output: expect.stringContaining('hermes: Cancelled: what you were asked was not done') })
    expect(readdirSync(cwd)).toEqual([])
  })

  it('writes a policy that is valid, also with all that is commented out', async () => {
    const opened = POLICY_TEMPLATE.replaceAll(/^#(?! )/gm, '').replaceAll(/^# {2}(?=\w+: )/gm, '  ')
    expect(Object.keys((await parsePolicy(POLICY_TEMPLATE, 'f', '/p')).values)).toEqual(['_config_version'])
    expect(Object.keys((await parsePolicy(opened, 'f', '/p')).values)).toEqual(['_config_version', 'allow', 'deny', 'read_only', 'verbs', 'limits', 'dialects', 'mapping', 'checks', 'reply', 'sandbox'])
  })

  it('writes the workflow that is an example', () => {
    expect(WORKFLOW_TEMPLATE).toBe(readFileSync(new URL('../../../../examples/ci/workflow.yml', import.meta.url), 'utf8'))
  })
})

describe('hermes help', () => {
  it('lists topics, explains each, commands and codes', async () => {
    const cwd = tempDir()
    const { stdout } = await cli.run(['help'], { cwd })
    for (const { name } of COMMANDS) expect(stdout).toContain(`\n  ${name} `)
    for (const { name } of TOPICS) expect(stdout).toContain(`\n    ${name} `)
    const { stdout: page } = await cli.run(['help', 'policy'], { cwd })
    expect(page).toMatch(/^Policy files\n=+\n[^]*\nSee also \(hermes help TOPIC\): /)
    const { stdout: ofCommand } = await cli.run(['redo', '--help'], { cwd })
    expect((await cli.run(['help', 'redo'], { cwd })).stdout).toBe(ofCommand)
    // A command that is a topic too.
    const { stdout: ofBoth } = await cli.run(['help', 'undo'], { cwd })
    expect(ofBoth.startsWith((await cli.run(['undo', '--help'], { cwd })).stdout)).toBe(true)
    expect(ofBoth).toContain(`\n${(/^# (.*)/.exec(readFileSync(new URL('../../../../docs/undo.md', import.meta.url), 'utf8')) ?? [])[1]}\n===`)
    expect((await cli.run(['help', 'text_not_found'], { cwd })).stdout).toMatch(/^TEXT_NOT_FOUND\n\nCause: .*\nFix: {3}.*\n\nExample:\n {4}/)
    expect(await cli.run(['help', 'polcy'], { cwd })).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Did you mean policy?') })
    expect(await cli.run(['help', 'file_write'], { cwd })).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('file_write is a verb: help is of commands, topics and codes\n  hermes tools show file_write') })
  })

  it('prints a manual page that groff reads, with every flag', () => {
    const page = manPage(COMMANDS, '1.2.3')
    for (const { name, flags } of COMMANDS) {
      expect(page).toContain(`.SS ${name}\n`)
      for (const flag of flags) expect(page).toContain(`\\-\\-${flag.name.replaceAll('-', '\\-')}`)
    }
    const { error, stderr, status } = spawnSync('groff', ['-man', '-Tutf8', '-ww'], { input: page, encoding: 'utf8' })
    if (error === undefined) expect([status, stderr]).toEqual([0, ''])
  })
})
