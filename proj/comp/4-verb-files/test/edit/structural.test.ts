import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readStructuralCases, runStructural, shownChange } from './support/structural-cases.js'

const directory = new URL('../../test-data/edit/structural/', import.meta.url)
const withCrlf = (text: string): string => text.replaceAll('\n', '\r\n')
const withBom = (text: string): string => `\ufeff${text}`
const withoutEnd = (text: string): string => text.replace(/\n$/, '')

for (const name of readdirSync(directory)) {
  describe(name, () => {
    it.each(readStructuralCases(new URL(name, directory)))('$name', async (each) => {
      const { before, change, result, newText } = each
      const { after, result: found } = await runStructural(each, before)
      expect({ change: shownChange(before, after), result: found }).toEqual({ change, result })
      expect(await runStructural(each, before, 'overlay')).toEqual({ after: before, result })
      // The same in files of other forms, and with other forms of the new text.
      expect((await runStructural(each, withCrlf(withBom(before)))).after).toBe(withCrlf(withBom(after)))
      expect((await runStructural(each, withoutEnd(before))).after).toBe(withoutEnd(after))
      expect((await runStructural({ ...each, newText: withCrlf(`${newText}\n`) }, before)).after).toBe(after)
      if (after === before || newText === '') return
      // Given again, it changes nothing; but a name that is gone is not found any more.
      const again = await runStructural(each, after)
      expect(again.after).toBe(after)
      const isStill = !/ instead of |cannot/.test(result)
      if (isStill && each.line === undefined) expect(again.result).toMatch(/ already$/)
    })
  })
}
