import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundleForNode } from '../../../../test/support/bundle.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { DiskFiles } from '../../src/store/index.js'
import { TEMP_PREFIX } from '../../src/atomic-write/index.js'
import { approved } from './support/as-approved.js'
import type { Job } from './support/run-operations.js'

const isRoot = process.geteuid?.() === 0
const NOBODY = 65534

function entry(name: string): string {
  return new URL(`support/${name}.ts`, import.meta.url).pathname
}

/** Runs the operations as a user without rights: the super-user may do everything, so that nothing is proved by it. */
async function runUnprivileged(job: Partial<Job> & Pick<Job, 'operations'>): Promise<unknown> {
  const dir = tempDir()
  chmodSync(dir, 0o755)
  const script = await bundleForNode(entry('run-operations'), dir)
  const options = { encoding: 'utf8', cwd: '/', ...(isRoot && { uid: NOBODY, gid: NOBODY }) } as const
  const argument = JSON.stringify({ umask: 0o022, overlay: false, ...job })
  return JSON.parse(execFileSync(process.execPath, [script, argument], options))
}

/** A directory that belongs to the unprivileged user. */
function ownDir(): string {
  const dir = tempDir()
  chmodSync(dir, 0o755)
  if (isRoot) chownSync(dir, NOBODY, NOBODY)
  return dir
}

describe.skipIf(process.platform === 'win32')('permissions', () => {
  it.each([0o022, 0o077, 0o002])('gives new files 666 without umask %o', async (umask) => {
    const dir = ownDir()
    await runUnprivileged({ umask, operations: [{ method: 'write', path: join(dir, 'new') }] })
    expect(statSync(join(dir, 'new')).mode & 0o777).toBe(0o666 & ~umask)
  })

  it('keeps the mode of an old file whatever the umask', async () => {
    const dir = ownDir()
    writeFileSync(join(dir, 'old'), '')
    chmodSync(join(dir, 'old'), 0o666)
    if (isRoot) chownSync(join(dir, 'old'), NOBODY, NOBODY)
    const operations = [{ method: 'write' as const, path: join(dir, 'old') }]
    expect(await runUnprivileged({ umask: 0o077, operations })).toEqual([3])
    expect(statSync(join(dir, 'old')).mode & 0o777).toBe(0o666)
  })

  it.skipIf(!isRoot)("replaces another user's file where its mode and directory allow", async () => {
    const dir = ownDir()
    writeFileSync(join(dir, 'theirs'), '')
    chmodSync(join(dir, 'theirs'), 0o666)
    writeFileSync(join(dir, 'guarded'), '')
    const operations = ['theirs', 'guarded'].map((name) => ({ method: 'write' as const, path: join(dir, name) }))
    expect(await runUnprivileged({ operations })).toEqual([3, 'EACCES'])
    expect(readdirSync(dir)).toEqual(['guarded', 'theirs'])
  })

  it.each([false, true])('reports what may not be done, and leaves nothing behind (overlay: %s)', async (overlay) => {
    const dir = ownDir()
    const locked = join(dir, 'locked')
    mkdirSync(locked)
    writeFileSync(join(locked, 'a'), 'old')
    writeFileSync(join(dir, 'unreadable'), 'secret')
    writeFileSync(join(dir, 'read-only'), 'old')
    mkdirSync(join(dir, 'closed'))
    const owned = [join(locked, 'a'), join(dir, 'unreadable'), join(dir, 'read-only'), join(dir, 'closed'), locked]
    if (isRoot) for (const path of owned) chownSync(path, NOBODY, NOBODY)
    chmodSync(join(dir, 'unreadable'), 0o200)
    chmodSync(join(dir, 'read-only'), 0o444)
    chmodSync(join(dir, 'closed'), 0)
    chmodSync(locked, 0o555)
    try {
      expect(await runUnprivileged({
        overlay,
        operations: [
          { method: 'write', path: join(locked, 'a') },
          { method: 'write', path: join(locked, 'new') },
          { method: 'remove', path: join(locked, 'a') },
          { method: 'makeDirectories', path: join(locked, 'd/e') },
          { method: 'move', path: join(locked, 'a'), to: join(dir, 'a') },
          { method: 'move', path: join(dir, 'read-only'), to: join(locked, 'b') },
          { method: 'read', path: join(dir, 'unreadable') },
          { method: 'write', path: join(dir, 'read-only') },
          { method: 'copy', path: join(dir, 'unreadable'), to: join(dir, 'c') },
          { method: 'copy', path: join(locked, 'a'), to: join(dir, 'read-only') },
          { method: 'copy', path: join(dir, 'read-only'), to: join(locked, 'c') },
          { method: 'list', path: join(dir, 'closed') },
          { method: 'read', path: join(dir, 'closed/x') },
          { method: 'list', path: dir },
          { method: 'write', path: join(dir, 'unreadable') },
        ],
      })).toEqual([
        ...Array.from({ length: 13 }, () => 'EACCES'),
        ['closed', 'locked', 'read-only', 'unreadable'],
        3,
      ])
      expect(readdirSync(locked)).toEqual(['a'])
      expect(readdirSync(dir)).toEqual(['closed', 'locked', 'read-only', 'unreadable'])
    } finally {
      chmodSync(locked, 0o755)
      chmodSync(join(dir, 'closed'), 0o755)
    }
  })

  it.each([false, true])('makes copies that are write-protected if their source is (overlay: %s)', async (overlay) => {
    const dir = ownDir()
    writeFileSync(join(dir, 'theirs'), 'old')
    writeFileSync(join(dir, 'protected'), 'old')
    chmodSync(join(dir, 'protected'), 0o444)
    const operations: Job['operations'] = ['theirs', 'protected'].flatMap((name) => [
      { method: 'copy', path: join(dir, name), to: join(dir, `${name}-copy`) },
      { method: 'write', path: join(dir, `${name}-copy`) },
    ])
    expect(await runUnprivileged({ overlay, operations })).toEqual([3, 3, 3, 'EACCES'])
  })
})

describe('kill -9 in the middle of many writes', () => {
  it('leaves every file wholly old or wholly new', async () => {
    const dir = tempDir()
    const script = await bundleForNode(entry('endless-writer'), tempDir())
    const paths = ['a', 'b', 'c', 'd'].map((name) => join(dir, name))
    for (const path of paths) writeFileSync(path, '0'.repeat(100_000))
    for (let delay = 0; delay < 8; delay++) {
      const child = spawn(process.execPath, [script, ...paths], { stdio: ['ignore', 'pipe', 'inherit'] })
      child.stdout.resume()
      await once(child.stdout, 'data')
      await new Promise((resolve) => setTimeout(resolve, delay * 3))
      child.kill('SIGKILL')
      await once(child, 'exit')
      for (const path of paths) {
        const content = readFileSync(path, 'utf8')
        expect(content.length).toBe(100_000)
        expect(content === content.charAt(0).repeat(100_000)).toBe(true)
      }
      expect(new DiskFiles().list(approved(dir)).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
      for (const name of readdirSync(dir)) {
        expect(name.length === 1 || (name.startsWith(TEMP_PREFIX) && lstatSync(join(dir, name)).isFile())).toBe(true)
      }
    }
  })
})
