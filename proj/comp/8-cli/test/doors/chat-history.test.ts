import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { plainEnvironment } from '../../../../test/support/cli.js'
import { readTree, writeTree } from '../../../../test/support/file-tree.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { say } from '../../../6-agent/test/agent/support/script.js'
import { useModelServer } from '../../../6-agent/test/agent/support/use-model-server.js'

const launcher = fileURLToPath(new URL('../../../../../dist/cli.cjs', import.meta.url))
const server = useModelServer()
const IDENTITY = {
  GIT_AUTHOR_NAME: 'u', GIT_AUTHOR_EMAIL: 'u@example.org', GIT_COMMITTER_NAME: 'u', GIT_COMMITTER_EMAIL: 'u@example.org',
}

interface Place {
  home: string
  root: string
}

/** A work tree with one commit, and a home beside it. */
function place(before: Record<string, string>): Place {
  const home = tempDir()
  const root = join(home, 'p')
  mkdirSync(root)
  writeTree(root, before)
  git(root, 'init', '-q')
  git(root, 'add', '-A')
  git(root, 'commit', '-q', '--allow-empty', '-m', 'start')
  return { home, root }
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, env: { ...plainEnvironment(), ...IDENTITY } }).toString().trimEnd()
}

function start({ home, root }: Place, ...args: string[]) {
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd: root,
    env: { ...plainEnvironment(), ...IDENTITY, HOME: home, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'x' },
  })
  child.stdin.end()
  return child
}

async function hermes(at: Place, ...args: string[]) {
  const child = start(at, ...args)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { stdout, stderr, exitCode }
}

const ask = (at: Place, model: string, ...args: string[]) => (
  hermes(at, 'chat', '--sandbox', 'none', '--model', model, '-q', 'do it', ...args)
)

it('commits only when told to, once, and never what a command made that looks secret, bulk or large', async () => {
  const at = place({ 'a.txt': 'one\n' })
  const make = 'mkdir -p .venv/lib; touch .venv/pyvenv.cfg .venv/lib/x.py; echo k > .env; echo k > secret.pem; '
    + 'head -c 3000000 /dev/zero > big.bin; echo n > made.txt'
  server.play('commits', [
    say('', ['write_file', { path: 'a.txt', content: 'two\n' }]),
    say('', ['execute_command', { command: make }]),
    say('', ['git_commit', { message: 'fix: x' }]),
    say('Done.'),
  ])
  expect(await ask(at, 'commits')).toMatchObject({ exitCode: 0, stdout: 'Done.\n' })
  expect(git(at.root, 'log', '--format=%s').split('\n')).toEqual(['fix: x', 'start'])
  expect(git(at.root, 'show', '--format=', '--name-only', 'HEAD').split('\n')).toEqual(['a.txt', 'made.txt'])
  expect(git(at.root, 'for-each-ref', '--format=%(refname)').split('\n')).toHaveLength(1)
  const answers = server.requests('commits').at(-1)?.messages.map(({ content }) => content ?? '') ?? []
  for (const named of ['.env', 'secret.pem', '.venv', 'big.bin']) expect(answers.at(-1)).toContain(named)
})

it('takes back a message at a time with hermes undo, and says when there is nothing more', async () => {
  const at = place({ 'a.txt': 'one\n' })
  server.play('first', [
    say('', ['write_file', { path: 'a.txt', content: 'two\n' }]), say('', ['write_file', { path: 'b.txt', content: 'b\n' }]),
    say('Done.'),
  ])
  server.play('looks', [say('', ['execute_command', { command: 'ls' }]), say('Two files.')])
  server.play('second', [
    say('', ['write_file', { path: 'a.txt', content: 'three\n' }]), say('', ['execute_command', { command: 'rm b.txt' }]),
    say('Done.'),
  ])
  for (const model of ['first', 'second', 'looks']) expect(await ask(at, model, '--yes')).toMatchObject({ exitCode: 0 })
  expect(await hermes(at, 'undo')).toMatchObject({ exitCode: 0 })
  expect(readTree(at.root)).toMatchObject({ 'a.txt': 'two\n', 'b.txt': 'b\n' })
  expect(await hermes(at, 'redo')).toMatchObject({ exitCode: 0 })
  expect(readTree(at.root)).toMatchObject({ 'a.txt': 'three\n' })
  expect(await hermes(at, 'undo')).toMatchObject({ exitCode: 0 })
  expect(await hermes(at, 'undo')).toMatchObject({ exitCode: 0 })
  expect(readTree(at.root)['a.txt']).toBe('one\n')
  expect(readTree(at.root)).not.toHaveProperty(['b.txt'])
  expect(await hermes(at, 'undo')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('There is no run to undo') })
  expect(git(at.root, 'log', '--format=%s')).toBe('start')
  expect(git(at.root, 'status', '--porcelain')).toBe('')
})

it('commits nothing when it repeats what was never committed, or takes back what led to what is committed', async () => {
  const at = place({ 'a.txt': 'one\n' })
  const write = (content: string) => [say('', ['write_file', { path: 'a.txt', content }]), say('Done.')]
  server.play('changes', write('two\n'))
  server.play('restores', write('one\n'))
  expect(await ask(at, 'changes')).toMatchObject({ exitCode: 0 })
  for (const command of ['undo', 'redo']) expect(await hermes(at, command)).toMatchObject({ exitCode: 0 })
  expect([readTree(at.root)['a.txt'], git(at.root, 'log', '--format=%s')]).toEqual(['two\n', 'start'])
  expect(await ask(at, 'restores')).toMatchObject({ exitCode: 0 })
  expect(await hermes(at, 'undo')).toMatchObject({ exitCode: 0 })
  expect([readTree(at.root)['a.txt'], git(at.root, 'log', '--format=%s')]).toEqual(['two\n', 'start'])
})

it('makes a commit of each message, or of each run, where the settings say so', async () => {
  for (const [setting, subjects] of [['message', ['AI: do it', 'start']], ['run', ['AI: write_file b.txt', 'AI: write_file a.txt', 'start']]] as const) {
    const at = place({})
    mkdirSync(join(at.home, '.hermes'))
    writeFileSync(join(at.home, '.hermes/config.yaml'), `auto_commit: ${setting}\n`)
    server.play(setting, [
      say('', ['write_file', { path: 'a.txt', content: 'a\n' }]), say('', ['write_file', { path: 'b.txt', content: 'b\n' }]),
      say('Done.'),
    ])
    expect(await ask(at, setting)).toMatchObject({ exitCode: 0 })
    expect(git(at.root, 'log', '--format=%s').split('\n')).toEqual(subjects)
  }
})

it('keeps a single question only where asked, and removes old conversations', async () => {
  const at = place({})
  const kept = (): string[] => readdirSync(join(at.home, '.hermes/sessions')).filter((name) => name.endsWith('.jsonl'))
  for (const model of ['kept', 'not', 'later']) server.play(model, [say('Yes.')])
  expect(await ask(at, 'kept', '--keep')).toMatchObject({ exitCode: 0 })
  expect(kept()).toHaveLength(1)
  expect(await ask(at, 'not')).toMatchObject({ exitCode: 0 })
  expect(kept()).toHaveLength(1)
  const long = new Date(Date.now() - 91 * 24 * 60 * 60 * 1000)
  utimesSync(join(at.home, '.hermes/sessions', kept()[0] ?? ''), long, long)
  expect(await ask(at, 'later')).toMatchObject({ exitCode: 0 })
  expect(kept()).toEqual([])
})

it('waits for the call of another chat in the root, and says so', async () => {
  const at = place({})
  server.play('long', [say('', ['execute_command', { command: 'touch begun; until [ -e go ]; do sleep 0.05; done' }]), say('Over.')])
  server.play('waits', [say('', ['write_file', { path: 'a.txt', content: 'a\n' }]), say('Written.')])
  const long = ask(at, 'long')
  await expect.poll(() => readdirSync(at.root), { timeout: 20_000 }).toContain('begun')
  const other = start(at, 'chat', '--model', 'waits', '-q', 'write')
  let told = ''
  other.stderr.on('data', (piece: Buffer) => { told += piece.toString() })
  const ended = new Promise<number | null>((resolve) => other.once('close', resolve))
  await expect.poll(() => told, { timeout: 20_000 }).toContain('Waiting for another run in this root')
  writeFileSync(join(at.root, 'go'), '')
  expect([(await long).exitCode, await ended]).toEqual([0, 0])
  expect(readTree(at.root)).toMatchObject({ 'a.txt': 'a\n' })
})
