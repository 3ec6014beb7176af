import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { SeenMessages } from '../../src/gateway/seen.js'

const HOUR = 3_600_000
const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n').filter((line) => line !== '')

describe('messages that were taken', () => {
  it('are known to the next gateway, and forgotten when they are taken back', () => {
    const file = join(tempDir(), 'seen')
    const seen = new SeenMessages(file, 0)
    expect([seen.take('hook', 'a', 1), seen.take('hook', 'b', 1), seen.take('hook', 'a', 2)]).toEqual([
      true, true, false,
    ])
    seen.forget('hook', 'b')
    const next = new SeenMessages(file, 3)
    expect([next.has('hook', 'a'), next.has('hook', 'b'), next.has('slack', 'a')]).toEqual([true, false, false])
  })

  it('are forgotten after a day, also while the gateway works', () => {
    const file = join(tempDir(), 'seen')
    const seen = new SeenMessages(file, 0)
    seen.take('hook', 'old', 0)
    expect(seen.take('hook', 'old', 23 * HOUR)).toBe(false)
    expect(seen.take('hook', 'old', 25 * HOUR)).toBe(true)
    // A clock that was wrong does not keep them for ever.
    seen.take('hook', 'ahead', 1000 * HOUR)
    expect(new SeenMessages(file, 26 * HOUR).has('hook', 'ahead')).toBe(false)
  })

  it('take no more than so much of the disk, and none of the last is lost', () => {
    const file = join(tempDir(), 'seen')
    const seen = new SeenMessages(file, 0, 10)
    for (let at = 0; at < 500; at++) {
      expect(seen.take('hook', String(at), at)).toBe(true)
      seen.take('hook', String(at), at)
      expect(linesOf(file).length).toBeLessThanOrEqual(20)
      expect(linesOf(file).at(-1)).toContain(`hook%3A${at}`)
    }
    expect(existsSync(`${file}.tmp`)).toBe(false)
    const next = new SeenMessages(file, 500, 10)
    expect([489, 490, 499].map((at) => next.has('hook', String(at)))).toEqual([false, true, true])
  })

  it('bear a line that was cut off, and what a killed gateway left of a shorter file', () => {
    const file = join(tempDir(), 'seen')
    new SeenMessages(file, 0).take('hook', 'whole', 1)
    writeFileSync(file, `${readFileSync(file, 'utf8')}2 hook%3Aha`)
    writeFileSync(`${file}.tmp`, 'half')
    const next = new SeenMessages(file, 3)
    expect(next.take('hook', 'half', 3)).toBe(true)
    expect(new SeenMessages(file, 4).has('hook', 'whole')).toBe(true)
    expect(new SeenMessages(file, 4).has('hook', 'half')).toBe(true)
  })
})
