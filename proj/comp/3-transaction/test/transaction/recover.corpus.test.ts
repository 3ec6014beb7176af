import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { spread } from '../../../../test/support/campaign.js'
import { useProgram } from '../../../../test/support/program.js'
import { mountOrSkip } from '../../../2-files/test/store/support/mount.js'
import { Root } from './root.js'

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd.txt': 'd\n' }
const AFTER: Record<string, string> = { 'a.txt': 'new a\n', 'b.txt': 'new b\n', 'made/d.txt': 'd\n' }
/** What the tree is when the run was finished by recovery. */
const FINISHED: Record<string, Record<string, string>> = {
  'in the journal': { ...FILES, 'a.txt': 'new a\n' },
  'before the write': { ...FILES, 'a.txt': 'new a\n' },
  'after the write': { ...FILES, 'a.txt': 'new a\n', 'b.txt': 'new b\n' },
  'in a write in place': { ...FILES, 'a.txt': 'new a\n', 'b.txt': 'new b\n' },
  'before the removal': { ...FILES, 'a.txt': 'new a\n', 'b.txt': 'new b\n' },
  'before the end': AFTER,
}
const MOMENTS = Object.keys(FINISHED)

const script = useProgram(new URL('support/die.ts', import.meta.url))

function die(root: Root, moment: string, options: object = {}): void {
  const { signal, stderr } = spawnSync(process.execPath, [script.path, root.directory, moment, JSON.stringify(options)], { encoding: 'utf8' })
  expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' })
}

function files(root: Root): Record<string, string> {
  return Object.fromEntries(Object.entries(root.tree()).filter(([, state]) => state !== 'directory').map(([path, state]) => [path, state.slice(4)]))
}

function hook(root: Root, name: string, line: string): void {
  writeFileSync(join(root.directory, '.git/hooks', name), `#!/bin/sh\n${line}\n`)
  chmodSync(join(root.directory, '.git/hooks', name), 0o755)
}

/** Nothing is left of the run, and a next one works. */
async function expectSound(root: Root, hasGit: boolean): Promise<void> {
  const names = readdirSync(root.directory, { recursive: true, encoding: 'utf8' })
  expect(names.filter((name) => /\.hermes-tmp-|hermes-index|hermes-snapshot|\.lock$|\.hermes\/lock/.test(name))).toEqual([])
  expect(await root.recover(false)).toEqual({ restored: false, paths: [], left: [] })
  if (hasGit) {
    root.git('fsck', '--strict')
    expect(root.status()).toEqual([])
  }
  rmSync(join(root.directory, '.git/hooks'), { recursive: true, force: true })
  await root.run({ 'next.txt': 'next\n' })
}

describe.each([['in a repository', true], ['outside of git', false]])('a run that died %s', (_, hasGit) => {
  const make = (): Root => {
    if (hasGit) return Root.repository(FILES)
    const root = new Root()
    root.put(FILES)
    return root
  }
  const moments = hasGit ? spread(MOMENTS, 6) : spread(MOMENTS, 6, 3)

  it.each(moments)('%s is put back', async (moment) => {
    const root = make()
    const before = root.tree()
    die(root, moment)
    await expect(root.run({ 'x.txt': 'x' })).rejects.toMatchObject({ code: 'INTERRUPTED_RUN', message: expect.stringContaining('run-000000-dies') })
    expect(await root.recover(true)).toMatchObject({ runId: 'run-000000-dies', restored: true, left: [] })
    expect(root.tree()).toEqual(before)
    await expectSound(root, hasGit)
  })

  it.each([true, false])('is put back but for what was changed since, and that with force only (called twice: %s)', async (twice) => {
    const root = make()
    const before = root.tree()
    die(root, 'before the end')
    // In a repository the run was committed already when it died: then undo takes it back.
    if (hasGit) root.git('reset', '--quiet', 'HEAD~1')
    root.put({ 'a.txt': 'mine\n', 'made/d.txt': 'd\nmine\n' })
    if (twice) {
      const { left, warnings } = await root.recover(true)
      expect(left.map(({ path }) => path).sort()).toEqual(['a.txt', 'd.txt', 'made', 'made/d.txt'])
      expect(warnings?.join('\n')).toMatch(/still open.*--restore --force.*hermes recover/)
      expect(files(root)).toEqual({ ...FILES, 'a.txt': 'mine\n', 'd.txt': undefined, 'made/d.txt': 'd\nmine\n' })
      await expect(root.run({ 'x.txt': 'x' })).rejects.toMatchObject({ code: 'INTERRUPTED_RUN' })
    }
    expect(await root.recover(true, true)).toMatchObject({ restored: true, left: [] })
    expect(root.tree()).toEqual(before)
    await expectSound(root, hasGit)
  })

  it.each(moments)('%s is finished', async (moment) => {
    const root = make()
    const before = root.tree()
    die(root, moment)
    const outcome = await root.recover(false)
    expect(outcome).toMatchObject({ runId: 'run-000000-dies', restored: false, left: [] })
    expect(files(root)).toEqual(FINISHED[moment])
    expect(outcome.gitCommit).toBe(hasGit ? root.git('rev-parse', 'HEAD').trim() : undefined)
    if (hasGit) expect(root.subjects()).toHaveLength(2)
    await expectSound(root, hasGit)
    await root.undo()
    await root.undo()
    expect(root.tree()).toEqual(before)
  })

  it.each(moments.filter((moment) => moment !== 'before the end'))('%s is put back where it was atomic', async (moment) => {
    const root = make()
    const before = root.tree()
    die(root, moment, { atomic: true })
    expect(await root.recover(false)).toMatchObject({ restored: true, left: [] })
    expect(root.tree()).toEqual(before)
    await expectSound(root, hasGit)
  })

  it.each([
    ['before the write', FILES], ['in a write in place', { ...FILES, 'b.txt': 'new b\n' }], ['after the write', { ...FILES, 'b.txt': 'new b\n' }],
  ])('%s, with others for which the journal was flushed with it', async (moment, finished) => {
    for (const restore of [true, false]) {
      const root = make()
      const before = root.tree()
      die(root, moment, { durable: true })
      expect(await root.recover(restore)).toMatchObject({ restored: restore, left: [], paths: finished === FILES ? [] : ['b.txt'] })
      expect(files(root)).toEqual(restore ? FILES : finished)
      await expectSound(root, hasGit)
      await root.undo()
      if (!restore && finished !== FILES) await root.undo()
      expect(root.tree()).toEqual(before)
    }
  })

  it('leaves alone what the user wrote since in a file that the run had not come to', async () => {
    for (const restore of [true, false]) {
      const root = make()
      // Of `b.txt` a temporary file is left, with the same in it.
      root.put({ 'a.txt': 'new b\n' })
      await root.run({ 'x.txt': 'x' })
      die(root, 'before the write', { durable: true })
      root.put({ 'a.txt': 'mine\n' })
      const outcome = await root.recover(restore)
      expect(root.text('a.txt')).toBe('mine\n')
      expect(outcome).toMatchObject({ restored: restore, left: [], paths: [] })
      expect(outcome.gitCommit).toBeUndefined()
      // It has done nothing: what is undone is the run before.
      await root.undo()
      expect(existsSync(join(root.directory, 'x.txt'))).toBe(false)
    }
  })

  it('is put back by a recovery after one that died too, whatever that one was asked for', async () => {
    const root = make()
    const before = root.tree()
    die(root, 'before the end', { git: false })
    die(root, 'before the write', { git: false, recover: 'restore' })
    await expect(root.run({ 'x.txt': 'x' })).rejects.toMatchObject({ code: 'INTERRUPTED_RUN' })
    expect(await root.recover(false)).toMatchObject({ restored: true, left: [] })
    expect(root.tree()).toEqual(before)
    await expectSound(root, hasGit)
  })

  it('is finished by a recovery after one that died in its last line', async () => {
    const root = make()
    die(root, 'after the write')
    const again = spawnSync(process.execPath, [script.path, root.directory, 'before the end', '{"recover":"finish"}'])
    // The end is added by another way of writing: then it is done.
    expect(again.status).toBe(0)
    expect(files(root)).toEqual(FINISHED['after the write'])
    await expectSound(root, hasGit)
  })

  it('keeps what someone else changed since', async () => {
    const root = make()
    die(root, 'after the write')
    root.put({ 'a.txt': 'theirs\n' })
    const { left } = await root.recover(true)
    expect(left).toEqual([{ path: 'a.txt', reason: expect.stringMatching(/changed by someone else/) }])
    expect(files(root)).toEqual({ ...FILES, 'a.txt': 'theirs\n' })
  })
})

describe('a run that died in git', () => {
  const HOOKS = [
    ['before the commit, git living on', 'pre-commit', 'kill -9 $DIE_PID; sleep 0.1'],
    ['before the commit, git with it', 'pre-commit', 'kill -9 $DIE_PID $PPID'],
    ['with the commit made', 'post-commit', 'kill -9 $DIE_PID $PPID'],
  ] as const

  it.each(HOOKS)('%s is finished', async (_, name, line) => {
    const root = Root.repository(FILES)
    hook(root, name, line)
    die(root, 'hook')
    rmSync(join(root.directory, '.git/hooks', name))
    const { gitCommit } = await root.recover(false)
    expect(files(root)).toEqual(AFTER)
    expect(gitCommit).toBe(root.git('rev-parse', 'HEAD').trim())
    expect(root.subjects()).toHaveLength(2)
    await expectSound(root, true)
  })

  it.each(HOOKS)('%s is put back', async (_, name, line) => {
    const root = Root.repository(FILES)
    const before = root.tree()
    hook(root, name, line)
    die(root, 'hook')
    rmSync(join(root.directory, '.git/hooks', name))
    expect(await root.recover(true)).toMatchObject({ restored: true, left: [] })
    expect(root.tree()).toEqual(before)
    expect(root.git('diff', 'HEAD', root.git('rev-list', '--max-parents=0', 'HEAD').trim())).toBe('')
    await expectSound(root, true)
  })

  it('after it has saved what was not committed is finished and put back', async () => {
    for (const restore of [false, true]) {
      const root = Root.repository(FILES)
      root.put({ 'a.txt': 'mine\n' })
      const before = root.tree()
      hook(root, 'post-commit', 'kill -9 $DIE_PID $PPID')
      die(root, 'hook')
      rmSync(join(root.directory, '.git/hooks/post-commit'))
      expect(root.subjects()[0]).toMatch(/^AI: before /)
      await root.recover(restore)
      if (restore) expect(root.tree()).toEqual(before)
      else expect(root.subjects()[0]).toMatch(/^AI: interrupted run/)
      expect(root.git('log', '--format=%s', '--', 'a.txt')).toContain('AI: before ')
      expect(root.subjects().join('\n')).not.toContain('AI: staged before ')
      await expectSound(root, true)
    }
  })

  it('atomic, with the commit made, was complete: it stays', async () => {
    const root = Root.repository(FILES)
    hook(root, 'post-commit', 'kill -9 $DIE_PID $PPID')
    die(root, 'hook', { atomic: true })
    rmSync(join(root.directory, '.git/hooks/post-commit'))
    expect(await root.recover(false)).toMatchObject({ restored: false })
    expect(files(root)).toEqual(AFTER)
    await expectSound(root, true)
  })

  it('leaves a lock of git that is older than the run to its owner', async () => {
    const root = Root.repository(FILES)
    hook(root, 'pre-commit', 'kill -9 $DIE_PID $PPID')
    die(root, 'hook')
    const lock = join(root.directory, '.git/index.lock')
    writeFileSync(lock, '')
    utimesSync(lock, 1, 1)
    await root.recover(true)
    expect(existsSync(lock)).toBe(true)
  })
})

it('a bind-mounted file that was half written is whole again', async (context) => {
  for (const restore of [true, false]) {
    const root = new Root()
    root.put({ ...FILES, real: 'old content of the real file\n' })
    mountOrSkip(context, join(root.directory, 'b.txt'), '--bind', join(root.directory, 'real'))
    die(root, 'in a write in place')
    await root.recover(restore)
    expect(root.text('b.txt')).toBe(restore ? 'old content of the real file\n' : 'new b\n')
    expect(readdirSync(root.directory).filter((name) => name.startsWith('.hermes-tmp-'))).toEqual([])
  }
})
