import fc from 'fast-check'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { frame, openWire } from './wire.js'

/** Of the body of the message whose length is wrong. */
const SIZES = [54, 60, 77, 100, 127, 128, 200, 255, 256, 400, 512, 700, 1000, 1024, 1500, 2048, 3000, 4096, 5000, 9000]
const OFFS = Array.from({ length: 83 }, (_, index) => index - 41).filter((off) => off !== 0)
/** What a request quotes; `count` counts how often it was taken for a message. */
const QUOTED = '\r\n\r\nContent-Length: 36\r\n\r\n{"jsonrpc":"2.0","method":"count"}\r\n'

describe('a Content-Length that is wrong', () => {
  it.each(SIZES)('by −41 to +41 of a body of %d bytes costs no request after it', async (size) => {
    expect(mislabelled(size, 0)).toHaveLength(`Content-Length: ${size}\r\n\r\n`.length + size)
    for (const off of OFFS) {
      const { ids, counted } = await exchange([mislabelled(size, off), ...GOOD])
      expect({ off, ids: ids.filter((id) => id !== null && id !== 1), counted }).toEqual({ off, ids: [2, 'three', 4], counted: 0 })
      // The bad one has exactly one answer, by its id where that is known.
      expect({ off, first: ids[0] === null || ids[0] === 1, times: ids.filter((id) => id === 1).length <= 1 }).toEqual({ off, first: true, times: true })
    }
  })

  it('does so however the bytes are cut, with another such message after the next', async () => {
    const bad = fc.record({ size: fc.integer({ min: 54, max: 900 }), off: fc.integer({ min: -41, max: 41 }) })
    await fc.assert(fc.asyncProperty(bad, bad, fc.array(fc.nat(), { maxLength: 8 }), async (one, other, cuts) => {
      const [second, third, last] = GOOD
      const whole = Buffer.concat([mislabelled(one.size, one.off), second, mislabelled(other.size, other.off), third, last])
      const places = [0, ...cuts.map((cut) => cut % whole.length).toSorted((a, b) => a - b), whole.length]
      const { ids, counted } = await exchange(places.slice(1).map((place, index) => whole.subarray(places[index], place)))
      expect({ ids: ids.filter((id) => id !== null && id !== 1), counted }).toEqual({ ids: [2, 'three', 4], counted: 0 })
    }), { numRuns: 500 })
  })
})

it('runs nothing that a text only quotes, not even where it breaks lines as no JSON may', async () => {
  const raw = `{"jsonrpc":"2.0","id":1,"method":"echo","params":["${QUOTED.replaceAll('"', String.raw`\"`)}"]}`
  for (let cut = 1; cut < raw.length; cut += 7) {
    const whole = frame(raw)
    const { ids, counted } = await exchange([whole.subarray(0, cut), whole.subarray(cut), ...GOOD])
    expect({ cut, ids: ids.filter((id) => id !== null), counted }).toEqual({ cut, ids: [2, 'three', 4], counted: 0 })
  }
})

it('keeps a message whose writer died within a text from costing those that another one writes', async () => {
  const begun = Buffer.from('Content-Length: 300\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"echo","params":["and th')
  const many = Array.from({ length: 8 }, (_, n) => frame(JSON.stringify({ jsonrpc: '2.0', id: `n${n}`, method: 'echo' })))
  const { ids } = await exchange([begun, ...many, ...GOOD])
  expect(ids).toEqual([null, ...many.map((_, n) => `n${n}`), 2, 'three', 4])
})

const GOOD = [
  frame('{"jsonrpc":"2.0","id":2,"method":"echo"}'),
  frame(JSON.stringify({ jsonrpc: '2.0', id: 'three', method: 'echo', params: [QUOTED] })),
  frame('{"jsonrpc":"2.0","id":4,"method":"counted"}'),
] as const

/** A request with a length that is wrong: its text quotes whole messages, and has brackets and quotes. */
function mislabelled(size: number, off: number): Buffer {
  const body = BODIES.get(size) ?? bodyOf(size)
  BODIES.set(size, body)
  return Buffer.from(`Content-Length: ${size + off}\r\n\r\n${body}`)
}

const BODIES = new Map<number, string>()

function bodyOf(size: number): string {
  const of = (text: string): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'echo', params: [text] })
  const quotes = `C"}]${QUOTED}`.repeat(200)
  const fitting = quotes.slice(0, [...quotes].findIndex((_, end) => of(quotes.slice(0, end + 1)).length > size))
  return of(fitting.padEnd(fitting.length + size - of(fitting).length, 'C'))
}

async function exchange(pieces: readonly Buffer[]): Promise<{ ids: unknown[]; counted: unknown }> {
  const { input, answers, answered, connection } = openWire()
  for (const piece of pieces) {
    input.write(piece)
    await setImmediate()
  }
  const known = answers as { id?: unknown; result?: unknown }[]
  const last = () => known.find(({ id }) => id === 4)
  for (let turn = 0; !last() && turn < 1000; turn++) await setImmediate()
  await Promise.race([answered(1), setImmediate()])
  connection.close()
  return { ids: known.map(({ id }) => id), counted: last()?.result }
}
