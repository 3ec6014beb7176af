import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { KeyInput } from '../../src/line-editor/key-input.js'

class Source extends EventEmitter {
  pause(): void { /* nothing flows */ }
  resume(): void { /* nothing flows */ }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** What is heard of bursts that come in these pieces, with silence after each burst. */
function heard(bursts: readonly (readonly Buffer[])[]): string[] {
  const source = new Source()
  const events: string[] = []
  const note = (kind: string, text: string): void => {
    const last = events.at(-1)
    // Text is the same in one piece or in many.
    if (kind === 'typed' && last?.startsWith('typed ') === true) events[events.length - 1] = last + text
    else events.push(`${kind} ${text}`)
  }
  const keys = new KeyInput(source, () => undefined, {
    key: (typed, key) => (key.name === 'left' ? note('key', 'left') : note('typed', typed ?? '')),
    paste: (text) => note('paste', text),
    end: () => undefined,
  })
  keys.open()
  for (const pieces of bursts) {
    for (const piece of pieces) source.emit('data', piece)
    vi.advanceTimersByTime(1000)
  }
  keys.dispose()
  return events
}

const BURSTS = [
  // The second mark of an end is that of the terminal: the first one was pasted.
  'aé\u001b[D\u001b[200~one\rtwo 日本 \u001b[20 \u001b[31m\r\n\u001b[201~rm it\r\u001b[201~', 'b\r',
  '\u001b[200~\u001b[201~', 'c\u001b[200~x\u001b[201~\u001b[200~y\u001b[201~', '\u001b[D',
  // The rest of a paste of which the beginning was read by somebody else.
  'tail\u001b[201~\r', 'd',
].map((burst) => Buffer.from(burst))

it('hears keys and pastes, wherever what comes is cut', () => {
  const whole = heard(BURSTS.map((burst) => [burst]))
  expect(whole).toEqual([
    'typed aé', 'key left', 'paste one\ntwo 日本 \u001b[20 \u001b[31m\nrm it\n', 'typed b\rc', 'paste xy', 'key left',
    'typed tail', 'paste \n', 'typed d',
  ])
  fc.assert(fc.property(fc.uniqueArray(fc.nat(120), { maxLength: 20 }), (cuts) => {
    const bursts = BURSTS.map((burst) => {
      const places = [0, ...cuts.filter((cut) => cut > 0 && cut < burst.length).toSorted((a, b) => a - b), burst.length]
      return places.slice(1).map((end, index) => burst.subarray(places[index], end))
    })
    expect(heard(bursts)).toEqual(whole)
  }))
})
