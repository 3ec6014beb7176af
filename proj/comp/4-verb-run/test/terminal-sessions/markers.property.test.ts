import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MarkerReader, type Marker } from '../../src/terminal-sessions/index.js'

const NONCE = '123456789012345678901'
const marker = (command: number, status: number, cwd: string): Buffer => (
  Buffer.from(`\u001b]8337;${NONCE};${command};2;${status};${cwd};${NONCE}\u0007`)
)

/** Pieces that look like markers of this shell, or begin one, without being one. */
const lookalike = fc.constantFrom(
  '\u001b', '\u001b]8337;', `\u001b]8337;${NONCE.slice(0, -1)}0;1;2;0;/;${NONCE}\u0007`, `\u001b]8337;${NONCE}`, `;${NONCE}\u0007`,
  '\u001b]0;title\u0007', `\u001b]8337;${NONCE};x;2;0;/;${NONCE}\u0007`,
).map(text => Buffer.from(text))
const output = fc.array(fc.oneof(fc.uint8Array({ maxLength: 40 }).map(bytes => Buffer.from(bytes)), lookalike), { maxLength: 6 })
  .map(parts => Buffer.concat(parts))
const ended = fc.record({ status: fc.integer({ min: 0, max: 255 }), cwd: fc.constantFrom('/', '/tmp/a b', '/x;y', '/ü') })

it('tells markers from output, whatever is printed and however it is cut', () => {
  fc.assert(fc.property(
    fc.array(fc.tuple(output, ended), { maxLength: 4 }), output, fc.array(fc.integer({ min: 1, max: 17 }), { minLength: 1, maxLength: 8 }),
    (parts, last, cuts) => {
      const all = Buffer.concat([...parts.flatMap(([bytes, { status, cwd }], index) => [bytes, marker(index, status, cwd)]), last])
      const reader = new MarkerReader(NONCE)
      const printed: Buffer[][] = [[]]
      const markers: Marker[] = []
      let turn = 0
      for (let at = 0; at < all.length;) {
        const end = at + (cuts[turn++ % cuts.length] ?? 1)
        for (const piece of reader.read(all.subarray(at, end))) {
          if (Buffer.isBuffer(piece)) printed.at(-1)?.push(Buffer.from(piece))
          else {
            markers.push(piece)
            printed.push([])
          }
        }
        at = end
      }
      printed.at(-1)?.push(reader.end())
      // An opening that never closes takes what follows for its text: as long as that may still be a marker.
      fc.pre(!parts.some(([bytes]) => bytes.includes(`\u001b]8337;${NONCE}`)))
      expect(markers).toEqual(parts.map(([, { status, cwd }], command) => ({ command, kind: 'ended', status, cwd })))
      expect(printed.map(some => Buffer.concat(some).toString('latin1')))
        .toEqual([...parts.map(([bytes]) => bytes), last].map(bytes => bytes.toString('latin1')))
    },
  ), { numRuns: 300 })
})
