import xterm from '@xterm/headless'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { LiveStatus, textWidth } from '../../src/index.js'

afterEach(() => vi.useRealTimers())

const HOSTILE = [
  '\u001b[2J\u001b[1;1Hevil \u202eabc\u202c', '界'.repeat(200), 'x'.repeat(2000), '10%\r20%\r30%', '\u0007\ttab', '👩‍👩‍👧 family '.repeat(20), '👍🏽 '.repeat(90),
]

function place(columns: number, isPlain = false) {
  const display = new xterm.Terminal({ cols: columns, rows: 12, allowProposedApi: true })
  const written: string[] = []
  const output = { columns, rows: 12, write: (text: string) => written.push(text) }
  const live = new LiveStatus({ output, colour: false, isPlain })
  const print = (text: string): void => {
    live.hide()
    written.push(text.replaceAll('\n', '\r\n'))
  }
  /** Row by row, as it is drawn. */
  const screen = async (): Promise<string[]> => {
    await new Promise<void>((resolve) => display.write(written.splice(0).join(''), resolve))
    const { active } = display.buffer
    const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '')
    return rows.join('\n').trimEnd().split('\n')
  }
  return { live, print, screen, written, output, display }
}

describe('what runs, below what is printed', () => {
  it.each([40, 60, 80, 120])('keeps its two rows whatever a command prints, at %i columns', async (columns) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    const { live, print, screen } = place(columns)
    print('above\n')
    live.count = '3/10'
    live.start('a', `execute_command  ${'npm run a-very-long-task '.repeat(8)}`)
    for (const line of HOSTILE) {
      live.calls.printed('a', [line])
      live.start('a', 'execute_command  echo')
      const rows = await screen()
      expect(rows[0]).toBe('above')
      expect(rows[1]).toBe('⠋ 3/10  execute_command  echo')
      expect(rows).toHaveLength(3)
      expect(rows[2]).toMatch(/^ {4}\S/)
      expect(textWidth(rows[2] ?? '')).toBeLessThan(columns)
      expect(rows[2]).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
    }
    live.end('a')
    print('below\n')
    expect(await screen()).toEqual(['above', 'below'])
  })

  it('is gone while somebody else has the terminal, and when what ran has ended', async () => {
    const { live, written, screen } = place(60)
    live.start('a', 'exec  one')
    live.start('b', 'exec  two')
    expect(await screen()).toEqual(['⠋ exec  one  and 1 more'])
    await live.aside(async () => {
      written.push('Allow? ')
      live.start('c', 'exec  three')
      expect(await screen()).toEqual(['Allow?'])
      written.push('\r\u001b[K')
    })
    for (const id of ['a', 'b', 'c']) live.end(id)
    expect(await screen()).toEqual([''])
  })

  it('leaves nothing behind where the terminal becomes narrower', async () => {
    const { live, screen, output, display, print } = place(80)
    live.start('a', `exec  ${'word '.repeat(20)}`)
    live.calls.printed('a', ['output '.repeat(30)])
    await screen()
    display.resize(40, 12)
    output.columns = 40
    print('done\n')
    live.end('a')
    expect(await screen()).toEqual(['done'])
  })

  it('says that it stops', async () => {
    const { live, screen } = place(80)
    live.stopping = () => true
    live.start('a', 'exec  one')
    expect(await screen()).toEqual(['⠋ Stopping; Ctrl-C again ends it at once: exec  one'])
    live.stop()
  })

  it('tells a terminal that knows no escape sequences only of what runs long', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    const { live, written } = place(40, true)
    live.start('a', 'exec  quick')
    vi.advanceTimersByTime(1000)
    live.end('a')
    live.start('b', 'exec  sleep')
    vi.advanceTimersByTime(29_000)
    live.calls.printed('b', ['\u001b[2Jstep'])
    vi.advanceTimersByTime(10_000)
    live.stop()
    expect(written).toEqual(['… exec  sleep\n', '… exec  sleep · 30 s: \\x1b[2Jstep\n'])
  })
})
