import { spawnSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plainEnvironment, useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'

const cli = useCli()
const CALLS: readonly [args: readonly string[], file: string, exitCode?: number][] = [
  [['cron', 'add', '@daily', 'x'], 'cron/jobs.json'],
  [['cron', 'run', '--once'], 'cron'],
  [['config', 'set', 'verbs.exec', 'ask'], 'config.yaml'],
  [['setup', '--model', 'm'], 'config.yaml'],
  [['chat', '-q', 'hi', '--keep', '--model', 'm', '--base-url', 'http://127.0.0.1:9/v1'], 'sessions', 1],
]

/** What each command says, and how it ends. */
async function ended(home: string): Promise<unknown> {
  const cwd = tempDir()
  const outcomes = await Promise.all(CALLS.map(async ([args]) => cli.run(args, { cwd, env: { HOME: home } })))
  return outcomes.map(({ exitCode, stderr }) => [exitCode, stderr.split('\n')[0]])
}

function refusals(code: string): unknown {
  return CALLS.map(([, file, exitCode = 2]) => [exitCode, `hermes: Cannot write ~/.hermes/${file} (${code})`])
}

describe.skipIf(process.platform === 'win32')('a home that takes no files of hermes', () => {
  it('is named where it is a file', async () => {
    const file = join(tempDir(), 'file')
    writeFileSync(file, '')
    expect(await ended(file)).toEqual(refusals('ENOTDIR'))
  })

  it.runIf(process.platform === 'linux')('is named where the file system has no directory made', async () => {
    expect(await ended(`/proc/${process.pid}`)).toEqual(refusals('ENOENT'))
  })

  it('is named where nothing more can be written, and no lock stays', () => {
    const home = tempDir()
    // As a full disk: the file is made, and no byte goes in.
    const args = ['-c', "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"", process.execPath, cli.path, 'cron', 'add', '@daily', 'x']
    const { status, stderr } = spawnSync('/bin/sh', args, { env: { ...plainEnvironment(), HOME: home }, encoding: 'utf8' })
    expect([status, stderr.split('\n')[0]]).toEqual([2, 'hermes: Cannot write ~/.hermes/cron/jobs.json (EFBIG)'])
    expect(readdirSync(join(home, '.hermes', 'cron'))).toEqual([])
  })

  it('is named where this user may not write', () => {
    const home = join(tempDir(), 'home')
    mkdirSync(home)
    chmodSync(home, 0o555)
    chmodSync(join(home, '..'), 0o755)
    const identity = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
    chmodSync(join(cli.path, '..', '..'), 0o755)
    const { status, stderr } = spawnSync(process.execPath, [cli.path, 'setup', '--model', 'm'], {
      cwd: '/', env: { ...plainEnvironment(), HOME: home }, encoding: 'utf8', ...identity,
    })
    expect([status, stderr.split('\n')[0]]).toEqual([2, 'hermes: Cannot write ~/.hermes/config.yaml (EACCES)'])
  })

  it.runIf(process.getuid?.() === 0)('is named where this user may not read what commands made, and nothing runs', () => {
    const cwd = tempDir()
    const home = join(cwd, 'home')
    mkdirSync(join(home, '.hermes'), { recursive: true })
    writeFileSync(join(home, '.hermes', 'made-by-commands.jsonl'), '', { mode: 0o600 })
    for (const directory of [cwd, join(cli.path, '..'), join(cli.path, '..', '..')]) chmodSync(directory, 0o755)
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli.path, 'apply', '-', '--dry-run'], {
      cwd, env: { ...plainEnvironment(), HOME: home }, input: '', encoding: 'utf8', uid: 65534, gid: 65534,
    })
    expect([status, stdout, stderr.split('\n')[0]])
      .toEqual([2, '', 'hermes: Cannot read ~/.hermes/made-by-commands.jsonl (EACCES)'])
  })

  it.runIf(process.getuid?.() === 0)('is named where this user may not accept what a command made', () => {
    const cwd = tempDir()
    const home = join(cwd, 'home')
    const made = join(cwd, 'hermes.yaml')
    mkdirSync(join(home, '.hermes'), { recursive: true })
    writeFileSync(made, '')
    const { dev, ino, birthtimeMs } = lstatSync(made)
    const record = { id: `${dev}:${ino}:${Math.round(birthtimeMs)}`, path: made, made: true }
    writeFileSync(join(home, '.hermes', 'made-by-commands.jsonl'), `${JSON.stringify(record)}\n`)
    for (const directory of [cwd, join(cli.path, '..'), join(cli.path, '..', '..')]) chmodSync(directory, 0o755)
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli.path, 'init', '--trust'], {
      cwd, env: { ...plainEnvironment(), HOME: home }, encoding: 'utf8', uid: 65534, gid: 65534,
    })
    expect([status, stdout, stderr.split('\n')[0]])
      .toEqual([2, '', 'hermes: Cannot write ~/.hermes/made-by-commands.jsonl (EACCES)'])
  })
})
