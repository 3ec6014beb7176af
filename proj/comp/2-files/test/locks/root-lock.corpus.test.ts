import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { bundleForNode } from '../../../../test/support/bundle.js'
import { isCampaign } from '../../../../test/support/campaign.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { ownIdentity } from '../../../2-processes/src/identity/index.js'
import { acquireRootLock, type LockFile } from '../../src/locks/index.js'

const { signal } = new AbortController()
const program = new URL('support/take-lock.ts', import.meta.url).pathname

function acquire(root: string, waitMs = 0): Promise<LockFile> {
  return acquireRootLock(root, 'run-1', waitMs, signal)
}

function plantLink(root: string, target: string): void {
  mkdirSync(join(root, '.hermes'))
  symlinkSync(target, join(root, '.hermes/lock'))
}

/** Leaves a lock of someone else. */
function plantLock(root: string, owner: object | string, name = 'lock'): void {
  mkdirSync(join(root, '.hermes'), { recursive: true })
  writeFileSync(join(root, '.hermes', name), typeof owner === 'string' ? owner : JSON.stringify(owner))
}

function ownerOf(pid: number, more: object = {}): object {
  return { id: 'other', pid, host: hostname(), runId: 'run-0', since: new Date().toISOString(), ...more }
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await new Promise(resolve => child.once('exit', resolve))
  return child.pid ?? 0
}

function left(root: string): string[] {
  return readdirSync(join(root, '.hermes')).sort()
}

describe('the lock of a root', () => {
  it('has one owner, and leaves nothing behind', async () => {
    const root = tempDir()
    const lock = await acquire(root)
    expect(statSync(join(root, '.hermes')).mode & 0o777).toBe(0o700)
    expect(JSON.parse(readFileSync(join(root, '.hermes/lock'), 'utf8'))).toMatchObject({ pid: process.pid, runId: 'run-1' })
    lock.release()
    expect(left(root)).toEqual(['.gitignore'])
    expect(readFileSync(join(root, '.hermes/.gitignore'), 'utf8')).toBe('*\n')
  })

  it('is given in turns to runs of one process', async () => {
    const root = tempDir()
    const turns: number[] = []
    await Promise.all([1, 2, 3].map(async (run) => {
      const lock = await acquire(root)
      turns.push(run)
      await sleep(5)
      turns.push(run)
      lock.release()
    }))
    expect(turns).toHaveLength(6)
    for (let at = 0; at < turns.length; at += 2) expect(turns[at]).toBe(turns[at + 1])
  })

  it('of another process that lives is LOCKED, with who has it and since when', async () => {
    const root = tempDir()
    const since = new Date(Date.now() - 90_000).toISOString()
    plantLock(root, ownerOf(process.ppid, { since }))
    await expect(acquire(root)).rejects.toMatchObject({
      code: 'LOCKED', message: expect.stringMatching(`run-0, process ${process.ppid} on ${hostname()}, for 9[0-9] s`),
      hint: expect.stringMatching(/--wait/),
    })
    expect(left(root)).toEqual(['.gitignore', 'lock'])
  })

  it('is waited for, and no longer than told', async () => {
    const root = tempDir()
    plantLock(root, ownerOf(process.ppid))
    await expect(acquire(root, 60)).rejects.toMatchObject({ code: 'LOCKED' })
    const waiting = acquire(root, 20_000)
    await sleep(80)
    plantLock(root, ownerOf(await deadPid()))
    ;(await waiting).release()
    await expect(acquireRootLock(root, 'run', 0, AbortSignal.abort())).resolves.toBeDefined()
  })

  it.each<[string, (root: string) => Promise<void> | void]>([
    ['whose process is gone', async root => plantLock(root, ownerOf(await deadPid()))],
    ['whose process id is another process now', root => plantLock(root, ownerOf(process.pid, { started: '1' }))],
    ['that is empty', root => plantLock(root, '')],
    ['that is not JSON', root => plantLock(root, '{"id":"x"')],
    ['that names nobody', root => plantLock(root, '{"pid":"none"}')],
    ['of a process that cannot be', root => plantLock(root, ownerOf(0))],
    ['that is a link to nowhere', root => plantLink(root, 'nowhere')],
    ['that is a link to something that never ends', root => plantLink(root, '/dev/zero')],
    ['that is a pipe', (root) => {
      mkdirSync(join(root, '.hermes'))
      execFileSync('mkfifo', [join(root, '.hermes/lock')])
    }],
  ])('%s is taken over', async (_, plant) => {
    const root = tempDir()
    await plant(root)
    ;(await acquire(root)).release()
    expect(left(root)).toEqual(['.gitignore'])
  })

  it('cannot be had where a directory is in its place', async () => {
    const root = tempDir()
    mkdirSync(join(root, '.hermes/lock'), { recursive: true })
    await expect(acquire(root)).rejects.toMatchObject({ code: 'POLICY_DENIED', message: expect.stringContaining('.hermes/lock'), hint: expect.stringContaining('remove') })
  })

  it('is taken over also where another died while it took it over', async () => {
    const root = tempDir()
    const [pid, other] = [await deadPid(), await deadPid()]
    plantLock(root, ownerOf(pid))
    // As many guards as died, each for the one before.
    const { createHash } = await import('node:crypto')
    const guard = (id: string) => `lock.takeover-${createHash('sha256').update(id).digest('hex').slice(0, 16)}`
    plantLock(root, ownerOf(other, { id: 'second' }), guard('other'))
    plantLock(root, '', guard('second'))
    ;(await acquire(root)).release()
    expect(left(root)).toEqual(['.gitignore'])
  })

  it('is cleared of what others left who died while they took it', async () => {
    const root = tempDir()
    const [dead, lives, justMade, madeLongAgo] = [1, 2, 3, 4].map((each) => `lock.0000000${each}-0000-4000-8000-000000000000`)
    plantLock(root, ownerOf(await deadPid(), { id: 'dead' }), dead)
    plantLock(root, ownerOf(await deadPid(), { id: 'dead' }), 'lock.takeover-0123456789abcdef')
    plantLock(root, ownerOf(process.ppid, { id: 'lives' }), lives)
    plantLock(root, '', justMade)
    plantLock(root, '', madeLongAgo)
    utimesSync(join(root, '.hermes', madeLongAgo ?? ''), 1, 1)
    ;(await acquire(root)).release()
    expect(left(root)).toEqual(['.gitignore', lives, justMade])
  })

  it('of another host is not taken over: its process cannot be seen', async () => {
    const root = tempDir()
    plantLock(root, ownerOf(await deadPid(), { host: 'elsewhere.example' }))
    await expect(acquire(root)).rejects.toMatchObject({
      code: 'LOCKED', message: expect.stringMatching(/on elsewhere\.example/), hint: expect.stringContaining(`remove ${join(root, '.hermes/lock')}`),
    })
  })

  it.skipIf(process.platform !== 'linux')('of another container is not taken over, though it has the same host name', async () => {
    const root = tempDir()
    const { started = '' } = ownIdentity()
    const [place = ''] = /@.*:/.exec(started) ?? []
    expect(place).toMatch(/^@[0-9a-f]{8}:$/)
    // There the same id is another process.
    for (const pid of [await deadPid(), process.ppid, process.pid]) {
      plantLock(root, ownerOf(pid, { started: `1${place}4026530000` }))
      await expect(acquire(root)).rejects.toMatchObject({ code: 'LOCKED', hint: expect.stringContaining('container') })
    }
    // Of an earlier boot nothing lives.
    plantLock(root, ownerOf(process.ppid, { started: '1@00000000:4026530000' }))
    ;(await acquire(root)).release()
  })

  it.skipIf(process.platform !== 'linux')('of a process of this machine is taken over when that is gone, also when the host has a new name', async () => {
    const root = tempDir()
    plantLock(root, ownerOf(await deadPid(), { host: 'old-name', started: ownIdentity().started }))
    ;(await acquire(root)).release()
  })

  it.skipIf(process.platform !== 'linux')('of a process that has ended, which nobody took note of, is taken over', async () => {
    const root = tempDir()
    // The shell starts it, and is then a program that never asks what became of it: it ends when that is so.
    const waits = '(until [ "$(cat /proc/$$/comm)" = sleep ]; do sleep 0.01; done)'
    const parent = spawn('/bin/sh', ['-c', `${waits} & echo $!; exec sleep 60`], { stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      const pid = Number(await new Promise(resolve => parent.stdout.once('data', resolve)))
      const stat = () => readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
      const started = stat()[19]
      while (stat()[0] !== 'Z') await sleep(10)
      plantLock(root, ownerOf(pid, { started }))
      ;(await acquire(root)).release()
    } finally {
      parent.kill('SIGKILL')
    }
  })

  it.each(['stale', 'damaged'])('that is %s goes to one of eight processes at a time', async (kind) => {
    const root = tempDir()
    const script = await bundleForNode(program, root)
    const rounds = isCampaign ? 3 : 1
    for (let round = 0; round < rounds; round++) {
      plantLock(root, kind === 'stale' ? ownerOf(await deadPid(), { id: `stale ${round}` }) : `damaged ${round}`)
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => {
        const child = spawn(process.execPath, [script, root, '4', '3'], { stdio: ['ignore', 'pipe', 'inherit'] })
        return text(child.stdout)
      }))
      expect(outcomes).toEqual(Array(8).fill('done'))
    }
    const turns = readFileSync(join(root, 'turns'), 'utf8').trim().split('\n')
    expect(turns).toHaveLength(rounds * 8 * 4 * 2)
    for (let at = 0; at < turns.length; at += 2) {
      expect([turns[at], turns[at + 1]]).toEqual([turns[at], turns[at]?.replace('begin', 'end')])
    }
    expect(existsSync(join(root, '.hermes/lock'))).toBe(false)
    expect(left(root)).toEqual(['.gitignore'])
  })

  it('is not removed by one who lost it', async () => {
    const root = tempDir()
    const lock = await acquire(root)
    plantLock(root, ownerOf(process.ppid))
    lock.release()
    expect(left(root)).toEqual(['.gitignore', 'lock'])
  })
})
