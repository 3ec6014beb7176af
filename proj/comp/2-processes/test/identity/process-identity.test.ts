import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { killedUnseen } from '../../../../test/support/zombie.js'
import {
  environmentOf, isMarkGone, isRunning, isSeenFromHere, isThisProcess, listPids, mayLive, ownIdentity, processMark,
  readProcess,
} from '../../src/identity/index.js'

const ELSEWHERE = '0123456789abcdef'

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid ?? 0
}

describe('a process', () => {
  it('lives, and is told from one that is gone', async () => {
    const own = ownIdentity()
    expect([isThisProcess(own), isSeenFromHere(own), mayLive(own), isRunning(own.pid)]).toEqual([true, true, true, true])
    const dead = await deadPid()
    expect([isRunning(dead), mayLive({ ...own, pid: dead }), mayLive({ pid: dead, host: hostname() })])
      .toEqual([false, false, false])
    expect([0, -1, 1.5, Number.NaN, 2 ** 40].map(isRunning)).toEqual([false, false, false, false, false])
  })

  it('of another host may live, whatever its number is here', async () => {
    const identity = { pid: await deadPid(), host: 'elsewhere.example' }
    expect([isSeenFromHere(identity), mayLive(identity), isThisProcess({ ...identity, pid: process.pid })])
      .toEqual([false, true, false])
  })

  it('marks names, and is gone when it is gone here', async () => {
    const [place, pid, start] = processMark().split('-')
    const dead = await deadPid()
    expect([processMark(), `${place}-${dead}-${start}`, `${ELSEWHERE}-${dead}-${start}`, `${place}-${pid}`, 'x'].map(isMarkGone))
      .toEqual([false, true, false, false, false])
  })
})

describe.skipIf(process.platform !== 'linux')('a process of Linux', () => {
  it('is not the one that had its number before', () => {
    const own = ownIdentity()
    const [ticks = '', place = ''] = own.started?.split('@') ?? []
    const [boot] = place.split(':')
    // Older records tell less.
    for (const started of [own.started, `${ticks}@${boot}`, ticks]) expect(mayLive({ ...own, started })).toBe(true)
    for (const started of [`1@${place}`, `1@${boot}`, '1', `${ticks}@00000000`]) {
      expect([started, mayLive({ ...own, started })]).toEqual([started, false])
    }
    // Of another container the number says nothing.
    expect(mayLive({ ...own, started: `1@${boot}:1` })).toBe(true)
    const [mark, pid, start] = processMark().split('-')
    expect(isMarkGone(`${mark}-${pid}-${Number(start) - 1}`)).toBe(true)
  })

  it('has ended when it only waits for its parent to take note of that', async () => {
    const pid = await killedUnseen(process.execPath, ['-e', 'console.log(1);setTimeout(() => {}, 1e6)'])
    const { lives, started = 0 } = readProcess(pid) ?? {}
    const [, place = ''] = ownIdentity().started?.split('@') ?? []
    expect([lives, isRunning(pid), mayLive({ pid, host: hostname() }), mayLive({ pid, host: hostname(), started: `${started}@${place}` })])
      .toEqual([false, false, false, false])
    expect(isMarkGone(`${processMark().split('-')[0]}-${pid}-${started}`)).toBe(true)
    expect(process.kill(pid, 0)).toBe(true)
  })

  it('is a row of the table of processes', async () => {
    const child = spawn('/bin/sh', ['-c', 'exec sleep 60'], { detached: true })
    try {
      await once(child, 'spawn')
      const pid = child.pid ?? 0
      expect(readProcess(pid)).toMatchObject({ pid, lives: true, parent: process.pid, group: pid, session: pid, threads: 1 })
      expect(listPids()).toEqual(expect.arrayContaining([pid, process.pid]))
      expect(environmentOf(process.pid)).toContain('PATH=')
      expect(readProcess(await deadPid())).toBeUndefined()
    } finally {
      child.kill('SIGKILL')
    }
  })
})
