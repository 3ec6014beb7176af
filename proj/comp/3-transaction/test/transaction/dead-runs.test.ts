import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { useProgram } from '../../../../test/support/program.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { RunJournal } from '../../src/journal/index.js'
import { findDeadRuns, listRuns } from '../../src/transaction/index.js'
import { Root } from './root.js'
import { rewriteLog } from './support/rewrite-log.js'

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd.txt': 'd\n' }

const script = useProgram(new URL('support/die.ts', import.meta.url))

function die(root: Root, moment: string, runId: string, options: object = {}): void {
  const { signal, stderr } = spawnSync(process.execPath, [script.path, root.directory, moment, JSON.stringify({ git: false, ...options, runId })], { encoding: 'utf8' })
  expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' })
}

/** As when an earlier hermes overlooked a run that died: its journal is away meanwhile. */
async function overlooked(root: Root, runId: string, act: () => unknown): Promise<void> {
  const place = join(root.directory, '.hermes/journal', runId)
  const aside = join(root.directory, '.hermes', runId)
  renameSync(place, aside)
  await act()
  renameSync(aside, place)
}

describe('runs that died', () => {
  it('are found also where a later run has ended', async () => {
    const root = new Root()
    root.put(FILES)
    die(root, 'after the write', 'run-000000-dead')
    await overlooked(root, 'run-000000-dead', () => root.run({ 'x.txt': 'x\n' }, { runId: 'run-000001', git: false }))
    await expect(root.run({ 'y.txt': 'y\n' }, { git: false })).rejects.toMatchObject({ code: 'INTERRUPTED_RUN', message: expect.stringContaining('run-000000-dead') })
    expect(await root.recover(true)).toMatchObject({ runId: 'run-000000-dead', restored: true, left: [] })
    expect(root.text('b.txt')).toBe('b\n')
    expect(root.text('x.txt')).toBe('x\n')
    expect(await root.recover(true)).toEqual({ restored: false, paths: [], left: [] })
  })

  it.each([false, true])('are not committed by recovery where that was not wanted (restores: %s)', async (restores) => {
    const root = Root.repository(FILES)
    die(root, 'after the write', 'run-000000-uncommitted')
    expect(await root.recover(restores)).toMatchObject({ runId: 'run-000000-uncommitted', left: [] })
    expect(root.subjects()).toEqual(['start'])
    expect(root.status().length > 0).toBe(!restores)
  })

  it('are recovered one after the other, the last first', async () => {
    const root = new Root()
    root.put(FILES)
    const before = root.tree()
    die(root, 'before the write', 'run-000000-older')
    await overlooked(root, 'run-000000-older', () => die(root, 'after the write', 'run-000001-newer'))
    expect(findDeadRuns(root.directory).map(({ begin }) => begin.runId)).toEqual(['run-000001-newer', 'run-000000-older'])
    expect(await root.recover(true)).toMatchObject({ runId: 'run-000001-newer', restored: true, left: [], others: ['run-000000-older'] })
    await expect(root.run({ 'y.txt': 'y\n' }, { git: false })).rejects.toMatchObject({ code: 'INTERRUPTED_RUN' })
    const last = await root.recover(true)
    expect(last).toMatchObject({ runId: 'run-000000-older', restored: true, left: [] })
    expect(last.others).toBeUndefined()
    expect(root.tree()).toEqual(before)
    await root.run({ 'next.txt': 'next\n' })
  })

  it('do not include one whose process lives, though its lock was removed by hand', async () => {
    const root = new Root()
    const child = spawn('sleep', ['60'])
    onTestFinished(() => void child.kill('SIGKILL'))
    const journal = new RunJournal(root.directory, { runId: 'run-000000-lives', kind: 'run', startedAt: new Date().toISOString() }, false)
    journal.close()
    rewriteLog(journal.directory, ([begin]) => [{ ...begin, owner: { pid: child.pid, host: hostname() } }])
    expect(findDeadRuns(root.directory)).toEqual([])
    child.kill('SIGKILL')
    await new Promise(resolve => child.once('exit', resolve))
    expect(findDeadRuns(root.directory)).toHaveLength(1)
  })

  it('include one of another machine or container, once it has its lock no more', async () => {
    const root = new Root()
    const journal = new RunJournal(root.directory, { runId: 'run-000000-away', kind: 'run', startedAt: new Date().toISOString() }, false)
    journal.close()
    const owner = { pid: process.pid, host: 'elsewhere.example' }
    rewriteLog(journal.directory, ([begin]) => [{ ...begin, owner }])
    const lock = join(root.directory, '.hermes/lock')
    writeFileSync(lock, JSON.stringify({ id: 'x', ...owner, runId: 'run-000000-away', since: new Date().toISOString() }))
    expect(findDeadRuns(root.directory)).toEqual([])
    expect(await listRuns(root.directory)).toMatchObject([{ state: 'running' }])
    rmSync(lock)
    expect(findDeadRuns(root.directory)).toHaveLength(1)
    expect(await listRuns(root.directory)).toMatchObject([{ state: 'open' }])
  })

  it('include one of this process, which could not be ended', () => {
    const root = new Root()
    new RunJournal(root.directory, { runId: 'run-000000-own', kind: 'run', startedAt: new Date().toISOString() }, false).close()
    expect(findDeadRuns(root.directory)).toHaveLength(1)
  })

  it('are found where a loss of power left zeros at the end of the log', async () => {
    const root = new Root()
    root.put(FILES)
    const before = root.tree()
    die(root, 'after the write', 'run-000000-dead')
    appendFileSync(join(root.directory, '.hermes/journal/run-000000-dead/log.jsonl'), `${'\0'.repeat(5000)}{"op":"failed"}\n`)
    expect(await root.recover(true)).toMatchObject({ restored: true, left: [] })
    expect(root.tree()).toEqual(before)
    await root.run({ 'next.txt': 'next\n' })
  })

  it('are kept however many runs follow', async () => {
    const root = new Root()
    root.put(FILES)
    die(root, 'after the write', 'run-000000-dead')
    await overlooked(root, 'run-000000-dead', () => {
      for (let run = 0; run < 120; run++) mkdirSync(join(root.directory, '.hermes/journal', `run-${String(run + 100)}`))
    })
    await expect(root.run({ 'y.txt': 'y\n' }, { git: false })).rejects.toMatchObject({ code: 'INTERRUPTED_RUN' })
    expect(await root.recover(true)).toMatchObject({ restored: true })
  })
})

describe('locks of git, when a run died in its commit', () => {
  function dieInHook(hook: string, line: string): Root {
    const root = Root.repository(FILES)
    const place = join(root.directory, '.git/hooks', hook)
    writeFileSync(place, `#!/bin/sh\n${line}\n`, { mode: 0o755 })
    die(root, 'hook', 'run-000000-dead', { git: true })
    rmSync(place)
    return root
  }
  const locks = (root: Root) => readdirSync(join(root.directory, '.git'), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.lock'))

  it('of the run go, of whatever moment', async () => {
    // As git leaves them: empty for HEAD, the new commit in that of the branch.
    const root = dieInHook('post-commit', 'cp .git/refs/heads/main .git/refs/heads/main.lock; : > .git/HEAD.lock; kill -9 $DIE_PID $PPID')
    expect(locks(root)).toEqual(expect.arrayContaining(['HEAD.lock', 'refs/heads/main.lock']))
    expect(await root.recover(false)).toMatchObject({ restored: false, left: [] })
    expect(locks(root)).toEqual([])
    expect(root.status()).toEqual([])
  })

  it.each(['index.lock', 'HEAD.lock', 'refs/heads/main.lock'])('of another git that came later stay (%s), and are named', async (name) => {
    const root = dieInHook('pre-commit', 'kill -9 $DIE_PID $PPID')
    const lock = join(root.directory, '.git', name)
    writeFileSync(lock, '')
    const later = Date.now() / 1000 + 3
    utimesSync(lock, later, later)
    const outcome = await root.recover(true)
    expect(existsSync(lock)).toBe(true)
    expect(outcome.warnings).toEqual([expect.stringContaining(lock)])
    expect(root.tree()).toMatchObject({ 'a.txt': '644 a\n' })
  })

  it('of the user\'s commit that waits for its editor stays', async () => {
    const root = dieInHook('pre-commit', 'kill -9 $DIE_PID $PPID')
    root.put({ 'mine.txt': 'mine\n' })
    const editor = join(tempDir(), 'editor.sh')
    const [ready, go] = [join(root.directory, '.git/ready'), join(root.directory, '.git/go')]
    writeFileSync(editor, `#!/bin/sh\ntouch ${ready}\nuntil [ -e ${go} ]; do sleep 0.05; done\necho mine > "$1"\n`, { mode: 0o755 })
    rmSync(join(root.directory, '.git/index.lock'), { force: true })
    root.git('add', 'mine.txt')
    const commit = spawn('git', ['commit', '--quiet'], { cwd: root.directory, env: { ...process.env, GIT_EDITOR: editor }, stdio: 'inherit' })
    const done = new Promise<number | null>(resolve => commit.once('exit', resolve))
    while (!existsSync(ready)) await sleep(20)
    writeFileSync(join(root.directory, '.git/index.lock'), '')
    const outcome = await root.recover(true)
    expect(outcome.warnings).toEqual([expect.stringContaining('index.lock')])
    expect(existsSync(join(root.directory, '.git/index.lock'))).toBe(true)
    writeFileSync(go, '')
    await done
    expect(root.text('a.txt')).toBe('a\n')
  })
})
