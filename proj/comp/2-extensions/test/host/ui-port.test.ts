import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { CommandClock } from '../../src/host/command-clock.js'
import { forwardedUi } from '../../src/host/index.js'
import { converse } from './converse.js'

const OPENING = [{ await: 'initialize' }, { answer: 'initialize', result: { capabilities: { commandFinished: true } } }, { await: 'command/execute' }]
const ENDING = [{ send: { method: 'command/finished', params: { executionId: 1 } } }, { await: 'shutdown' }, { answer: 'shutdown', result: null }, { exit: 0 }]
const ask = (id: number, method: string, params: object): object => ({ send: { id, method, params } })
const lines = (steps: readonly object[]): string => steps.map(step => JSON.stringify(step)).join('\n')

describe('the client of a server as the user', () => {
  it('gets the requests with the name of the extension; its answers are checked, and may come in any order', async () => {
    const sent: unknown[] = []
    const ui = forwardedUi(async (method, params) => {
      sent.push([method, params])
      if (method === 'ui/showConfirm') {
        // The later request is answered first.
        await sleep(50)
        return { confirmed: true }
      }
      return method === 'ui/openFile' ? { path: '/a' } : { path: 7 }
    })
    const { received, shown } = await converse({
      ui,
      steps: lines([
        ...OPENING, ask(1, 'ui/showConfirm', { message: 'Sure?' }), ask(2, 'ui/openFile', {}), ask(3, 'ui/saveFile', {}),
        { await: { id: 1 } }, { await: { id: 2 } }, { await: { id: 3 } }, ...ENDING,
      ]),
    }, tempDir())
    expect(sent).toEqual([
      ['ui/showConfirm', { message: 'Sure?', extension: 'x' }], ['ui/openFile', { extension: 'x' }], ['ui/saveFile', { extension: 'x' }],
    ])
    expect(received.map(line => JSON.parse(line) as { id?: number; method?: string }).filter(({ method }) => method === undefined)).toEqual([
      { jsonrpc: '2.0', id: 2, result: { path: '/a' } },
      { jsonrpc: '2.0', id: 3, error: { code: -32012, message: expect.stringContaining('the answer that came is none: path') as string } },
      { jsonrpc: '2.0', id: 1, result: { confirmed: true } },
    ])
    expect(shown).toEqual(['done'])
  })

  it('is told when nobody waits for its answer any more', async () => {
    let wasAborted = false
    const ui = forwardedUi(async (_method, _params, signal) => new Promise(resolve => {
      signal.addEventListener('abort', () => {
        wasAborted = true
        resolve({})
      })
    }))
    const { shown } = await converse({ ui, steps: lines([...OPENING, ask(1, 'ui/showConfirm', { message: 'Sure?' }), { exit: 3 }]) }, tempDir())
    expect(shown[0]).toBe("EXTENSION_FAILED: Extension 'x' ended with 3 while it was needed")
    expect(wasAborted).toBe(true)
    const unannounced = [{ await: 'initialize' }, { answer: 'initialize', result: null }, { await: 'command/execute' }]
    const left = await converse({ ui, steps: lines([...unannounced, ask(1, 'ui/showConfirm', { message: 'Sure?' }), { exit: 0 }]) }, tempDir())
    expect(left.shown[0]).toBe("EXTENSION_FAILED: Extension 'x' ended with 0 while a request of it was open")
  })
})

describe('many requests', () => {
  it('are all answered once, while as many are open as the extension likes', async () => {
    const many = Array.from({ length: 2000 }, (_, id) => id)
    const { received, shown } = await converse({
      message: 'hi',
      steps: lines([...OPENING, ...many.map(id => ask(id, 'editor/getMessage', {})), ...many.map(id => ({ await: { id } })), ...ENDING]),
    }, tempDir())
    const ids = received.map(line => JSON.parse(line) as { id?: number; method?: string }).filter(({ method }) => method === undefined).map(({ id }) => id)
    expect(ids.toSorted((a, b) => Number(a) - Number(b))).toEqual(many)
    expect(shown).toEqual(['done'])
  })
})

describe('the time of a command', () => {
  it('stands while the user is asked, and while nothing is left of it the command is over', () => {
    vi.useFakeTimers()
    try {
      const over = vi.fn<() => void>()
      const clock = new CommandClock({ limitMs: 1000, quietMs: undefined, onQuiet: vi.fn<() => void>(), onLimit: over })
      vi.advanceTimersByTime(600)
      const [first, second] = [clock.began(true), clock.began(true)]
      vi.advanceTimersByTime(60_000)
      first()
      vi.advanceTimersByTime(60_000)
      second()
      vi.advanceTimersByTime(399)
      expect(over).not.toHaveBeenCalled()
      vi.advanceTimersByTime(1)
      expect(over).toHaveBeenCalledOnce()
    } finally {
      vi.useRealTimers()
    }
  })
})
