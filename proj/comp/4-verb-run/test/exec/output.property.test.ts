import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CappedOutput } from '../../src/command-processes/index.js'
import { failExec, runExec } from './run-exec.js'

describe('output of programs', () => {
  it('keeps head and tail of 300 MB in bounded memory', async () => {
    const code = 'echo first; yes éééééééééééééééé | head -c 299999997; echo last'
    const before = process.memoryUsage().rss
    const { stdout } = await runExec({ lang: 'bash', code })
    expect(process.memoryUsage().rss - before).toBeLessThan(120 * 2 ** 20)
    expect(stdout.startsWith('first\né')).toBe(true)
    expect(stdout.endsWith('é\nlast\n')).toBe(true)
    expect(stdout).not.toContain('\uFFFD')
    const omitted = Number(/^… (\d+) bytes omitted …$/m.exec(stdout)?.[1])
    const kept = Buffer.byteLength(stdout.replace(/\n?… \d+ bytes omitted …\n/, ''))
    expect(kept).toBeGreaterThan(2 ** 20 - 10)
    expect(kept).toBeLessThanOrEqual(2 ** 20)
    expect(omitted).toBeGreaterThan(298_900_000)
  })

  it('says in the hint of a failure that it was cut', async () => {
    const failure = await failExec({ lang: 'bash', code: 'seq 1000; echo bad >&2; exit 1' }, {
      limits: { maxOutputBytes: 100 },
    })
    expect(failure.hint).toMatch(/^stderr says: bad\nThe output was cut in the middle: /)
    expect(failure.data?.stdout).toMatch(/^1\n2\n[^]*\n… \d+ bytes omitted …\n[^]*\n1000\n$/)
  })

  it('joins characters that arrive in pieces', async () => {
    const code = "printf '\\xf0\\x9f'; sleep 0.1; printf '\\x98'; sleep 0.1; printf '\\x80'"
    expect(await runExec({ lang: 'bash', code })).toMatchObject({ stdout: '😀' })
  })

  it('shows invalid UTF-8 as U+FFFD', async () => {
    expect(await runExec({ lang: 'bash', code: "printf 'a\\xffb\\xc3'" })).toMatchObject({ stdout: 'a\uFFFDb\uFFFD' })
  })

  it('is plain where FORCE_COLOR asks hermes for colour', async () => {
    vi.stubEnv('FORCE_COLOR', '1')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    expect(await runExec({ lang: 'bash', code: 'echo "[$FORCE_COLOR]"' })).toMatchObject({ stdout: '[]\n' })
  })

  it('keeps NUL, CR and a BOM', async () => {
    expect(await runExec({ lang: 'bash', code: "printf '\\xef\\xbb\\xbfa\\0b\\r\\n'" }))
      .toMatchObject({ stdout: '\uFEFFa\0b\r\n' })
  })
})

describe('CappedOutput', () => {
  const chunks = fc.array(fc.string({ unit: 'binary', maxLength: 12 }), { maxLength: 30 })

  it('loses nothing within the limit, and holds the limit beyond it', () => {
    fc.assert(fc.property(chunks, fc.nat(60), fc.nat(7), (texts, limit, size) => {
      const whole = Buffer.from(texts.join(''))
      const output = new CappedOutput(limit)
      for (let at = 0; at < whole.length; at += size + 1) output.push(whole.subarray(at, at + size + 1))
      if (whole.length <= limit) {
        expect(output.text()).toBe(whole.toString())
        expect(output.omitted).toBe(0)
        return
      }
      expect(output.omitted).toBe(whole.length - limit)
      const [, head, omitted, tail] = /^([^]*?)\n?… (\d+) bytes omitted …\n([^]*)$/.exec(output.text()) ?? []
      expect(whole.toString().startsWith(head ?? 'no head')).toBe(true)
      expect(whole.toString().endsWith(tail ?? 'no tail')).toBe(true)
      const kept = Buffer.byteLength(`${head}${tail}`)
      expect(kept).toBeLessThanOrEqual(limit)
      expect(kept).toBeGreaterThan(limit - 8)
      // A newline at the end of the head is the kept one, not the mark's own.
      expect(Number(omitted) + kept - whole.length).toBeOneOf([0, -1])
    }))
  })
})
