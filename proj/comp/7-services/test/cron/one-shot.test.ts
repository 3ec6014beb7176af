import { describe, expect, it } from 'vitest'
import { HermesError } from '../../../0-contracts/src/index.js'
import { readGoldens } from '../../../../test/support/goldens.js'
import { isOneShot, readOneShot } from '../../src/cron/one-shot.js'

const CASES = readGoldens(new URL('../../test-data/cron/one-shot.cases.md', import.meta.url))

describe('schedules of one run', () => {
  let [moment, zone] = ['', '']
  const lines = CASES.flatMap(({ name, fences }) => {
    if (/^\d/.test(name)) [moment = '', zone = ''] = name.split(' ')
    return fences.flatMap(({ body }) => body.split('\n')).map((line) => [moment, zone, ...line.split(' => ')])
  })
  it.each(lines)('at %s in %s: %j', async (now, timeZone, written, expected) => {
    const found = await readOneShot(written ?? '', timeZone, Date.parse(now ?? '')).then(
      (ms) => new Date(ms).toISOString(),
      (error: unknown) => (error instanceof HermesError ? error.message.split(': ').at(-1) : error),
    )
    expect(found).toBe(expected)
    expect(isOneShot(written ?? '')).toBe(true)
  })

  it.each(['30 7 * * 1-5', '@daily', '0 0 9 * * *', 'now'])('%j is none', (schedule) => {
    expect(isOneShot(schedule)).toBe(false)
  })
})
