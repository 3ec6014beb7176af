import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LANGUAGE_IDS, parseDefinitions } from '../src/index.js'

it('never fails for any text, and every name is where it is said to be', async () => {
  const words = ['class', 'function', 'def', 'fn', 'a', 'B', '😀', '{', '}', '(', ')', '=', ':', '\n', '  ', ';', '"', '<', ',']
  const soup = fc.array(fc.constantFrom(...words), { maxLength: 60 }).map((parts) => parts.join(' '))
  await fc.assert(fc.asyncProperty(fc.constantFrom(...LANGUAGE_IDS), soup, async (language, text) => {
    const lines = text.split('\n')
    for (const { name, nameLine, nameColumn } of await parseDefinitions(language, text)) {
      expect(lines[nameLine - 1]?.slice(nameColumn - 1)).toMatch(new RegExp(`^${name.replaceAll(/\W/g, '\\$&')}`))
    }
  }), { numRuns: 300 })
})
