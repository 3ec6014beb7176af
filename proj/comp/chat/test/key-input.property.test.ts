import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { KeyInput } from '../src/key-input.js'

class Source extends EventEmitter {
  pause(): void { /* nothing flows */ }
  resume(): void { /* nothing flows */ }
}

/** What is heard of bytes that come in these pieces. */
function heard(pieces: readonly Buffer[]): string[] {
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
  for (const piece of pieces) source.emit('data', piece)
  return events
}

const BYTES = Buffer.from('aé\u001b[D\u001b[200~one\rtwo 日本 \u001b[20 \u001b[31m\u001b[201~b\u001b[200~\u001b[201~c')

it('hears keys and pastes, wherever what comes is cut', () => {
  const whole = heard([BYTES])
  expect(whole).toEqual([
    'typed aé', 'key left', 'paste one\rtwo 日本 \u001b[20 \u001b[31m', 'typed b', 'paste ', 'typed c',
  ])
  fc.assert(fc.property(fc.uniqueArray(fc.integer({ min: 1, max: BYTES.length - 1 }), { maxLength: 12 }), (cuts) => {
    const places = [0, ...cuts.toSorted((a, b) => a - b), BYTES.length]
    const pieces = places.slice(1).map((end, index) => BYTES.subarray(places[index], end))
    // Esc that comes alone is a key.
    fc.pre(!pieces.some((piece) => piece.equals(Buffer.from('\u001b'))))
    expect(heard(pieces)).toEqual(whole)
  }))
})
