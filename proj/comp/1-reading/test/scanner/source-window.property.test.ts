import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SourceWindow } from '../../src/scanner/source-window.js'

/** Pieces, and of what was read with each how far back a block that is still open begins; none where 0. */
const steps = fc.array(fc.tuple(fc.string({ maxLength: 6 }), fc.nat({ max: 12 })), { maxLength: 12 })

it('gives any part of what is kept, and keeps nothing before the open block', () => {
  fc.assert(fc.property(steps, fc.nat(), fc.nat(), (pieces, one, other) => {
    const window = new SourceWindow()
    let text = ''
    /** What may be asked for begins here. */
    let known = 0
    for (const [piece, back] of pieces) {
      const start = back === 0 ? text.length : Math.max(known, text.length - back)
      window.advance(piece, back === 0 ? undefined : start)
      known = start
      text += piece
    }
    const from = known + one % (text.length - known + 1)
    const to = from + other % (text.length - from + 1)
    expect(window.slice(from, to)).toBe(text.slice(from, to))
    window.widen()
    expect(window.slice(from, to)).toBe(text.slice(from, to))
    expect([window.base, window.region]).toEqual([known, text.slice(known)])
  }), { numRuns: 1000 })
})
