import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/temp-dir.js'
import { plainEnvironment, useCli } from '../../../test/support/cli.js'
import { ENV_VARIABLES, parsePolicy, settingNames } from '../../2-config/src/config/index.js'
import { whyNoPull } from '../../7-setup/src/setup/index.js'
import { installationAt } from '../../7-setup/src/index.js'

const cli = useCli()
const KEY = 'sk-or-v1-0123456789abcdef0123456789abcdef'

function world(env: Record<string, string> = {}) {
  const home = tempDir()
  const settings = join(home, '.hermes')
  return {
    home, settings, file: (name: string) => join(settings, name),
    run: (args: readonly string[], input?: string) => cli.run(args, { cwd: home, env: { HOME: home, ...env }, ...(input !== undefined && { input }) }),
  }
}

/** A server that takes one key. */
async function keyServer(): Promise<{ url: string; asked: string[]; close: () => void }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const { authorization } = request.headers
    response.writeHead(authorization === `Bearer ${KEY}` && request.method === 'GET' ? 200 : 401, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message: `Incorrect API key provided: ${authorization}` } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked, close: () => server.close() }
}

describe('hermes setup', () => {
  it('writes what flags say, keeps keys for the user alone, and shows them nowhere', async () => {
    const { run, file } = world()
    const set = await run(['setup', '--model', 'acme/one', '--key', 'OPENROUTER_API_KEY'], `${KEY}\n`)
    expect(set).toMatchObject({ exitCode: 0, stderr: '' })
    expect([statSync(file('.env')).mode & 0o777, statSync(file('config.yaml')).mode & 0o777]).toEqual([0o600, 0o600])
    expect(readFileSync(file('.env'), 'utf8')).toContain(`OPENROUTER_API_KEY=${KEY}\n`)
    expect(readFileSync(file('config.yaml'), 'utf8')).toContain('model: acme/one')
    const shown = [set]
    const runs: ReturnType<typeof run>[] = []
    for (const args of [['status'], ['status', '--json'], ['config'], ['config', '--json'], ['config', 'get', 'OPENROUTER_API_KEY'], ['config', 'check'], ['doctor', '--json']]) {
      runs.push(run(args))
    }
    shown.push(...await Promise.all(runs))
    for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toContain(KEY.slice(8, 24))
    expect(shown[1]?.stdout).toMatch(/^model +acme\/one {2}\(~\/\.hermes\/config\.yaml:\d\)$/m)
    expect(JSON.parse(shown[2]?.stdout ?? '')).toMatchObject({ model: 'acme/one', key: { name: 'OPENROUTER_API_KEY', isSet: true } })
    expect(shown[5]?.stdout).toBe('(set, not shown)\n')
    expect(JSON.parse(shown[7]?.stdout ?? '').findings).toContainEqual(expect.objectContaining({ id: 'agent', status: 'ok' }))
    expect((await run(['setup', '--unset', 'OPENROUTER_API_KEY', '--json'])).stdout).toContain('"isSet": false')
    // What would have no effect there is not written.
    expect(await run(['setup', '--key', 'HERMES_MCP_TOKEN'], KEY)).toMatchObject({
      exitCode: 2, stderr: expect.stringContaining('HERMES_MCP_TOKEN is read from the environment only'),
    })
    expect(readFileSync(file('.env'), 'utf8')).not.toContain('HERMES_MCP_TOKEN')
  })

  it('asks the server about the key only where it is told to, and says what it answers', async () => {
    const server = await keyServer()
    const { run } = world()
    expect((await run(['setup', '--base-url', server.url, '--key', 'OPENAI_API_KEY'], KEY)).exitCode).toBe(0)
    expect(server.asked).toEqual([])
    expect(await run(['setup', '--verify'])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('accepts it') })
    expect(server.asked).toEqual(['GET /v1/models'])
    expect(await run(['setup', '--key', 'OPENAI_API_KEY', '--verify'], 'sk-wrong')).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('refuses the key') })
    // A server that repeats the key it refuses.
    expect((await run(['setup', '--key', 'OPENAI_API_KEY'], KEY)).exitCode).toBe(0)
    const refused = await run(['chat', '-q', 'hi', '--model', 'x', '--no-git'])
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('401 Incorrect API key provided')])
    expect(refused.stdout + refused.stderr).not.toContain(KEY.slice(8, 24))
    server.close()
  })

  it('refuses variables that it does not know, values that are none, and a setup with nobody to ask', async () => {
    const { run, settings } = world()
    expect(await run(['setup', '--key', 'OPENAI_KEY'], KEY)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Did you mean OPENAI_API_KEY?') })
    expect((await run(['setup', '--key', 'OPENAI_API_KEY'], '\n')).exitCode).toBe(2)
    expect(await run(['setup'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('nobody to ask') })
    expect(await run(['setup', '--base-url', 'http://elsewhere.example/v1'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('keys are sent to it') })
    expect(await run(['setup', '--base-url', 'https://x.example/v1?api_key=sekret'])).toMatchObject({ exitCode: 2, stderr: expect.not.stringContaining('sekret') })
    expect(existsSync(settings)).toBe(false)
  })

  it('asks at a terminal, where the key is typed unseen', () => {
    const { home, file } = world()
    const steps = [
      ['Where is the model?', '\r'], ['OpenRouter API key', `${KEY}\r`], ['Model, as the server', 'acme/two\r'],
      ['whether the key works', 'n'], ['Set others as well', '\r'],
    ]
    const output = execFileSync('python3', [
      fileURLToPath(new URL('drive-terminal.py', import.meta.url)), JSON.stringify(steps), process.execPath, cli.path, 'setup',
    ], { cwd: home, env: { ...plainEnvironment(), HOME: home, TERM: 'xterm' }, encoding: 'utf8' })
    const { exit, output: shown, left } = JSON.parse(output) as { exit: number; output: string; left: unknown[] }
    expect([exit, left, shown.includes(KEY)]).toEqual([0, [], false])
    expect(readFileSync(file('.env'), 'utf8')).toContain(KEY)
    expect(readFileSync(file('config.yaml'), 'utf8')).toContain('model: acme/two')
    const one = execFileSync('python3', [
      fileURLToPath(new URL('drive-terminal.py', import.meta.url)), JSON.stringify([['Slack bot token', 'xoxb-typed-unseen-1\r']]), process.execPath, cli.path, 'setup', '--key', 'SLACK_BOT_TOKEN',
    ], { cwd: home, env: { ...plainEnvironment(), HOME: home, TERM: 'xterm' }, encoding: 'utf8' })
    expect([one.includes('typed-unseen'), readFileSync(file('.env'), 'utf8')]).toEqual([false, expect.stringContaining('SLACK_BOT_TOKEN=xoxb-typed-unseen-1\n')])
  })
})

describe('version, update, uninstall', () => {
  it('tell how hermes was installed, and change nothing', async () => {
    const { run } = world()
    expect((await run(['version'])).stdout).toMatch(/^hermes \d+\.\d+\.\d+\nNode\.js /)
    expect(await run(['update'])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Nothing was changed.') })
    expect(await run(['update', '--check', '--yes'])).toMatchObject({ exitCode: 2 })
    expect(await run(['update', '--yes'])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Not updated. Nothing tells where it came from') })
  })

  it.each([
    ['clone', 'src/hermes/.git/x', 'src/hermes', 'git pull --ff-only', 'rm -r'],
    ['global', 'prefix/lib/node_modules/hermes/x', 'prefix/lib/node_modules/hermes', 'npm install --global --prefix ROOT/prefix TARBALL', 'npm uninstall --global --prefix ROOT/prefix hermes'],
    ['npx', 'cache/_npx/abc/node_modules/hermes/x', 'cache/_npx/abc/node_modules/hermes', 'rm -r ROOT/cache/_npx/abc', 'rm -r ROOT/cache/_npx/abc'],
    ['other', 'opt/hermes/x', 'opt/hermes', 'put the new version', 'rm -r ROOT/opt/hermes'],
  ])('%s', (kind, file, directory, update, remove) => {
    const root = realpathSync(tempDir())
    mkdirSync(join(root, file, '..'), { recursive: true })
    writeFileSync(join(root, file), '')
    const found = installationAt(join(root, directory))
    expect([found.kind, found.update.join('\n'), found.remove.join('\n')]).toEqual([
      kind, expect.stringContaining(update.replace('ROOT', root)), expect.stringContaining(remove.replace('ROOT', root)),
    ])
  })

  it.each([
    ['a tarball that is the same', { dependencies: { hermes: 'file:../h.tgz' } }, 'npm', 'npm install NEW-TARBALL-OR-GIT-URL', [], 'still the same'],
    ['a tarball that is another now', { dependencies: { hermes: 'file:../new.tgz' } }, 'npm', 'npm install file:../new.tgz', [['install', 'file:../new.tgz']], undefined],
    ['a tarball that is gone', { devDependencies: { hermes: 'file:../gone.tgz' } }, 'npm', 'npm install NEW-TARBALL-OR-GIT-URL', [], 'is gone'],
    ['a repository', { devDependencies: { hermes: 'git+ssh://git@example.org/h.git#main' } }, 'npm', "npm install 'git+ssh://git@example.org/h.git#main'", [['install', 'git+ssh://git@example.org/h.git#main']], undefined],
    ['one commit', { dependencies: { hermes: `github:a/b#${'0'.repeat(40)}` } }, 'npm', 'npm install NEW-TARBALL-OR-GIT-URL', [], 'pinned'],
    ['a repository, by pnpm', { dependencies: { hermes: 'github:a/b' } }, 'pnpm', 'pnpm add github:a/b', [['add', 'github:a/b']], undefined],
    ['a repository, by yarn', { dependencies: { hermes: 'https://example.org/h.git' } }, 'yarn', 'yarn add https://example.org/h.git', [['add', 'https://example.org/h.git']], undefined],
    ['a version of some registry', { dependencies: { hermes: '^1.0.0' } }, 'npm', 'npm install TARBALL-OR-GIT-URL', [], 'says ^1.0.0'],
    ['a tarball of a registry', { dependencies: { hermes: 'https://registry.example.org/hermes/-/hermes-9.0.0.tgz' } }, 'npm', 'npm install TARBALL-OR-GIT-URL', [], 'not where this hermes can be had'],
    ['another package', {}, 'npm', '# update the package that brought it', [], 'came with another package'],
  ])('a dependency from %s', (_, manifest, manager, update, steps, manual) => {
    const root = realpathSync(tempDir())
    const app = join(root, 'app')
    const store = manager === 'pnpm' ? 'node_modules/.pnpm/hermes@1/node_modules/hermes' : 'node_modules/hermes'
    mkdirSync(join(app, store), { recursive: true })
    writeFileSync(join(app, 'package.json'), JSON.stringify(manifest))
    if (manager === 'yarn') writeFileSync(join(app, 'yarn.lock'), '')
    for (const name of ['h.tgz', 'new.tgz']) writeFileSync(join(root, name), name)
    writeFileSync(join(app, 'node_modules', '.package-lock.json'), JSON.stringify({
      packages: { 'node_modules/hermes': { resolved: 'file:../h.tgz', integrity: `sha512-${createHash('sha512').update('h.tgz').digest('base64')}` } },
    }))
    const found = installationAt(join(app, store))
    expect(found).toMatchObject({ kind: 'local', words: `a dependency of ${app}`, update: [`cd ${app}`, update], steps: steps.map((args) => ({ program: manager, args, cwd: app })) })
    expect(found.manual ?? '').toContain(manual ?? '')
    // By the name alone the registry has another package.
    expect(found.update.join('\n')).not.toMatch(/(?:install|add|update) hermes\b|hermes@latest/)
  })

  it('a clone is pulled where nothing of the user is in the way, and else not touched', () => {
    const root = realpathSync(tempDir())
    const git = (cwd: string, ...args: string[]): string => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    git(root, 'init', '--quiet', '--initial-branch=main', 'first')
    const [first, clone] = [join(root, 'first'), join(root, 'clone')]
    writeFileSync(join(first, 'a.txt'), 'a\n')
    git(first, 'add', '--all')
    git(first, 'commit', '--quiet', '-m', 'start')
    expect(whyNoPull(first)?.reason).toContain('no upstream')
    git(root, 'clone', '--quiet', 'first', 'clone')
    writeFileSync(join(clone, 'untracked.txt'), 'x')
    expect(whyNoPull(clone)).toBeUndefined()
    writeFileSync(join(clone, 'a.txt'), 'mine\n')
    expect(whyNoPull(clone)).toMatchObject({ reason: expect.stringContaining('changes of yours'), hint: expect.stringContaining('a.txt') })
    git(clone, 'checkout', '--quiet', 'a.txt')
    git(clone, 'checkout', '--quiet', '--detach')
    expect(whyNoPull(clone)?.reason).toContain('detached')
    expect(whyNoPull(join(root))?.reason).toContain('git cannot read')
  })

  it('lists what runs left there, and leaves nothing of it', async () => {
    const { run, file, settings } = world()
    mkdirSync(file('cache/packages'), { recursive: true })
    const made = ['allowed-directories.jsonl', 'cache', 'journal.key', 'made-by-commands.jsonl']
    for (const name of made) if (name !== 'cache') writeFileSync(file(name), '')
    const { stdout } = await run(['uninstall', '--remove-data'])
    expect([...stdout.matchAll(/^ {2}(\S+) {2}\(/gm)].map(([, path]) => path)).toEqual(made.map((name) => file(name)))
    expect([stdout.includes('Left'), existsSync(settings)]).toEqual([false, false])
  })

  it('removes just what it lists: of a link the link, and nothing that hermes did not make', async () => {
    const { run, file, home, settings } = world()
    mkdirSync(file('sessions'), { recursive: true })
    mkdirSync(file('gateway'))
    for (const name of ['config.yaml', 'sessions/a.jsonl', 'mine.txt', 'gateway/seen', 'gateway/notes.md']) writeFileSync(file(name), '')
    mkdirSync(join(home, 'shared'))
    writeFileSync(join(home, 'shared', 'SKILL.md'), 'kept')
    symlinkSync('../shared', file('skills'))
    symlinkSync('../../shared', file('sessions/link.jsonl'))
    expect(await run(['uninstall'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--remove-data or --keep-data') })
    expect((await run(['uninstall', '--keep-data'])).stdout).toContain('This removes it:')
    expect(existsSync(file('config.yaml'))).toBe(true)
    // Names like these are other programs' in a home.
    const inHome = await cli.run(['uninstall', '--remove-data'], { cwd: home, env: { HOME: home, HERMES_HOME: home } })
    expect(inHome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('more than files of hermes') })
    writeFileSync(file('gateway/lock'), JSON.stringify({ pid: process.pid, host: hostname() }))
    expect(await run(['uninstall', '--remove-data'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`hermes gateway works with these files (process ${process.pid})`) })
    writeFileSync(file('gateway/lock'), '')
    const removed = await run(['uninstall', '--remove-data'])
    expect(removed.stdout).toContain(`${file('skills')}  (your skills, a link to ../shared: the link alone)`)
    expect(removed.stdout).toContain(`Left, since hermes did not make it: ${file('gateway/notes.md')}, ${file('mine.txt')}`)
    expect([existsSync(file('config.yaml')), existsSync(file('sessions')), existsSync(file('gateway/seen')), existsSync(file('gateway/notes.md')), existsSync(file('mine.txt')), readFileSync(join(home, 'shared', 'SKILL.md'), 'utf8')])
      .toEqual([false, false, false, true, true, 'kept'])
    expect(lstatSync(settings).isDirectory()).toBe(true)
    const linked = world()
    symlinkSync(settings, linked.settings)
    expect(await linked.run(['uninstall', '--remove-data'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('nothing behind a link is removed') })
  })
})

it('the example settings are valid, and show each part; docs/setup.md has each field and variable', async () => {
  const read = (name: string): string => readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8')
  const { values } = await parsePolicy(read('examples/config.yaml'), 'examples/config.yaml', undefined)
  expect(values).toMatchObject({ model: expect.any(String), cron: expect.any(Object), gateway: { slack: expect.any(Object), webhook: expect.any(Object) } })
  const page = read('docs/setup.md')
  const policy = read('docs/policy.md')
  const ofThePolicy = new Set([...(policy.split('\n| `model`')[0] ?? '').matchAll(/`(\w+)/g)].map(([, name]) => name))
  const fields = new Set(settingNames().map((name) => name.split('.')[0] ?? ''))
  for (const name of fields) if (!ofThePolicy.has(name) && !['terminal', 'extensions', '_config_version'].includes(name)) expect(page).toMatch(new RegExp(`\`${name}(?:\\.\\*)?\``))
  for (const { name } of ENV_VARIABLES) expect(page).toContain(name.startsWith('TERMINAL_SSH_') ? `\`${name.replace(/TERMINAL_SSH(?=_(?!HOST))/, '')}\`` : `\`${name}\``)
})
