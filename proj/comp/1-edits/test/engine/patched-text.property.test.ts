import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCampaign } from '../../../../test/support/campaign.js'
import { PatchedText } from '../../src/engine/patched-text.js'

const letters = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength })

/** Overlapping ones too. */
function placesOf(text: string, wanted: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) places.push(at)
  return places
}

describe('PatchedText', () => {
  it('does what is done to a string', () => {
    let replaced = 0
    fc.assert(fc.property(letters(60), fc.array(fc.tuple(letters(5), letters(5), fc.boolean()), { maxLength: 30 }), (text, edits) => {
      const patched = new PatchedText(text)
      let plain = text
      for (const [old, text_, isAsked] of edits) {
        const places = old === '' ? [] : placesOf(plain, old)
        expect(patched.replaceOnly(old, text_)).toBe(places.length === 1)
        if (places.length === 1) {
          plain = plain.slice(0, places[0]) + text_ + plain.slice(places[0]! + old.length)
          replaced++
        }
        if (isAsked) expect(`${patched}`).toBe(plain)
      }
      expect(`${patched}`).toBe(plain)
    }), { numRuns: 5000 })
    expect(replaced).toBeGreaterThan(isCampaign ? 450 : 200)
  })

  it('takes any number of edits', () => {
    const lines = Array.from({ length: 1500 }, (_, index) => `<${index}>`)
    const patched = new PatchedText(lines.join('\n'))
    for (const line of lines) expect(patched.replaceOnly(line, `${line.slice(0, -1)}|`)).toBe(true)
    expect(`${patched}`).toBe(lines.map((line) => `${line.slice(0, -1)}|`).join('\n'))
  })
})
