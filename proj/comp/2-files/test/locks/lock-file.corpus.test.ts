import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bundleForNode } from '../../../../test/support/bundle.js'
import { isCampaign } from '../../../../test/support/campaign.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { killedUnseen } from '../../../../test/support/zombie.js'
import { ownIdentity, processMark } from '../../../2-processes/src/identity/index.js'
import { LockFile, lockHolder } from '../../src/locks/index.js'

const trial = new URL('support/try-lock.ts', import.meta.url).pathname
const turns = new URL('support/take-lock.ts', import.meta.url).pathname
const isLinux = process.platform === 'linux'
const isRoot = process.getuid?.() === 0
const NOBODY = 65_534

function taken(path: string): LockFile {
  const lock = LockFile.tryAt(path, 'test')
  if (lock instanceof LockFile) return lock
  throw new Error(`Process ${lock.pid} has it`)
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid ?? 0
}

interface Trial {
  at?: number
  lacking?: 'links' | 'proc'
  uid?: number
}

/** Starts a process that tries the lock. @returns it, and what it says */
async function trying(
  script: string, path: string, { at = 0, lacking, uid }: Trial = {},
): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, [script, path, String(at)], {
    stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, LACKING: lacking },
    ...(uid !== undefined && { uid, gid: uid }),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said] = await once(child.stdout, 'data') as [Buffer]
  return { child, said: said.toString().trim() }
}

describe('a lock file', () => {
  it('is taken by one, and released by nobody else', () => {
    const path = join(tempDir(), 'lock')
    const lock = taken(path)
    expect(LockFile.tryAt(path, 'other')).toMatchObject({ pid: process.pid, host: hostname(), runId: 'test' })
    expect(lockHolder(path)).toMatchObject({ pid: process.pid, runId: 'test' })
    writeFileSync(path, JSON.stringify({ ...ownIdentity(), id: 'another', runId: 'another' }))
    lock.release()
    expect(lockHolder(path)).toMatchObject({ runId: 'another' })
  })

  it('is left alone where a directory has come in its place', () => {
    const path = join(tempDir(), 'lock')
    const lock = taken(path)
    lock.release()
    mkdirSync(path)
    lock.release()
    expect(() => LockFile.tryAt(path, 'test')).toThrow(expect.objectContaining({ code: 'POLICY_DENIED' }))
  })

  it('does not disturb another whose name goes on with a dot', async () => {
    const directory = tempDir()
    writeFileSync(join(directory, 'a.b'), JSON.stringify({ pid: await deadPid(), host: hostname() }))
    taken(join(directory, 'a'))
    expect(readdirSync(directory).sort()).toEqual(['a', 'a.b'])
  })

  it('says that it has been held for no time where the clock was set back', async () => {
    const path = join(tempDir(), 'lock')
    const since = new Date(Date.now() + 3_600_000).toISOString()
    writeFileSync(path, JSON.stringify({ pid: process.ppid, host: hostname(), runId: 'run-1', since }))
    utimesSync(path, Date.now() / 1000 + 3600, Date.now() / 1000 + 3600)
    const locked = (who: string): never => { throw new Error(who) }
    await expect(LockFile.acquire(() => path, 'test', { waitMs: 0, locked })).rejects
      .toThrow(`run-1, process ${process.ppid} on ${hostname()}, for 0 s`)
    writeFileSync(path, JSON.stringify({ pid: await deadPid(), host: hostname(), since }))
    taken(path)
  })

  it.skipIf(!isLinux)('of an earlier hermes is understood', async () => {
    const [own = '', pid = '', start = ''] = processMark().split('-')
    const dead = await deadPid()
    const path = join(tempDir(), 'lock')
    for (const [record, holder] of [
      [`${process.ppid}\n`, process.ppid], [`${dead}\n`, undefined],
      [`${processMark()}\n`, process.pid], [`${own}-${pid}-${Number(start) - 1}\n`, undefined],
      [`${own}-${dead}-${start}\n`, undefined], [`0123456789abcdef-${dead}-${start}\n`, dead],
      [JSON.stringify({ pid: process.ppid, host: hostname() }), process.ppid],
    ] as const) {
      writeFileSync(path, record)
      expect([record, lockHolder(path)?.pid]).toEqual([record, holder])
      const lock = LockFile.tryAt(path, 'test')
      expect([record, lock instanceof LockFile ? undefined : lock.pid]).toEqual([record, holder])
    }
  })

  it('names nobody where it holds anything else, and can be had', () => {
    const path = join(tempDir(), 'lock')
    const record = fc.oneof(fc.string(), fc.json(), fc.record({
      pid: fc.oneof(fc.integer({ max: 0 }), fc.double({ noInteger: true }), fc.string()), host: fc.constant(hostname()),
      started: fc.option(fc.string(), { nil: undefined }),
    }).map((each) => JSON.stringify(each)))
    fc.assert(fc.property(record.filter((each) => !/^\s*\d+\s*$/.test(each)), (each) => {
      writeFileSync(path, each)
      expect(lockHolder(path)).toBeUndefined()
      taken(path).release()
      expect(readdirSync(dirname(path))).toEqual([])
    }))
  })

  it.skipIf(!isLinux)('of a process that was killed and that nobody took note of is taken over', async () => {
    const directory = tempDir()
    const script = await bundleForNode(trial, tempDir())
    const pid = await killedUnseen(process.execPath, [script, join(directory, 'lock')])
    expect(JSON.parse(readFileSync(join(directory, 'lock'), 'utf8'))).toMatchObject({ pid })
    taken(join(directory, 'lock')).release()
    expect(readdirSync(directory)).toEqual([])
  })

  it('of a process that lives is kept, also where the system does not tell when that began', async () => {
    const path = join(tempDir(), 'lock')
    const script = await bundleForNode(trial, tempDir())
    taken(path)
    expect(await trying(script, path, { lacking: 'proc' })).toMatchObject({ said: String(process.pid) })
    expect(lockHolder(path)).toMatchObject({ pid: process.pid })
  })

  it.runIf(isRoot)('of another user waits for the user to remove it, and a directory that is read-only says so', async () => {
    const directory = tempDir()
    chmodSync(directory, 0o777)
    const script = await bundleForNode(trial, directory)
    const path = join(directory, 'lock')
    taken(path)
    const { said } = await trying(script, path, { uid: NOBODY })
    expect(said).toBe(`LOCKED Another user's process holds ${path}`)
    const closed = join(directory, 'closed')
    mkdirSync(closed, { mode: 0o500 })
    chownSync(closed, NOBODY, NOBODY)
    expect((await trying(script, join(closed, 'lock'), { uid: NOBODY })).said).toMatch(/^EACCES /)
  })

  it.each<['stale' | 'damaged', string, 'links' | undefined]>([
    ['stale', 'has', undefined], ['damaged', 'has', undefined], ['stale', 'lacks', 'links'], ['damaged', 'lacks', 'links'],
  ])('that is %s goes to one of many that try at once, where the system %s hard links', async (kind, _, lacking) => {
    const script = await bundleForNode(trial, tempDir())
    const [rounds, processes] = isCampaign ? [3, 16] : [1, 6]
    for (let round = 0; round < rounds; round++) {
      const directory = tempDir()
      const path = join(directory, 'lock')
      writeFileSync(path, kind === 'damaged' ? '{' : JSON.stringify({ pid: await deadPid(), host: hostname(), id: 'dead' }))
      const at = Date.now() + 400 + 40 * processes
      const all = await Promise.all(Array.from({ length: processes }, () => (
        trying(script, path, { at, ...(lacking && { lacking }) })
      )))
      const winners = all.filter(({ said }) => said === 'mine')
      expect(all.map(({ said }) => said).filter((said) => said === 'mine')).toEqual(['mine'])
      expect(lockHolder(path)?.pid).toBe(winners[0]?.child.pid)
      expect(readdirSync(directory)).toEqual(['lock'])
      await Promise.all(all.map(async ({ child }) => {
        child.stdin?.end()
        await once(child, 'close')
      }))
    }
  })

  it('is given in turns where the file system knows no links', async () => {
    const root = tempDir()
    const script = await bundleForNode(turns, tempDir())
    const [processes, rounds] = isCampaign ? [16, 8] : [4, 4]
    mkdirSync(join(root, '.hermes'))
    writeFileSync(join(root, '.hermes/lock'), '')
    await Promise.all(Array.from({ length: processes }, () => text(spawn(process.execPath, [script, root, String(rounds), '1'], {
      stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, LACKING: 'links' },
    }).stdout)))
    const lines = readFileSync(join(root, 'turns'), 'utf8').trim().split('\n')
    expect(lines).toHaveLength(processes * rounds * 2)
    for (let at = 0; at < lines.length; at += 2) expect(lines[at + 1]).toBe(lines[at]?.replace('begin', 'end'))
  })
})
