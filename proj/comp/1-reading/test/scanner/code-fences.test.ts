import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cut, markerSoup } from '../../../../test/support/marker-soup.js'
import { CodeFences } from '../../src/index.js'

it('counts fences, not what they show', () => {
  const text = 'a\n```sh\nls\n```\n- ~~~ py\n  x = 1\n  ~~~\n````md\n```js\n```\n````\nnot ```one```\n```\nopen\n'
  const { count, languages } = new CodeFences().push(text).end()
  expect([count, ...languages]).toEqual([4, 'sh', 'py', 'md'])
})

it('does not depend on how the text is cut', () => {
  fc.assert(fc.property(markerSoup, fc.array(fc.nat(), { maxLength: 8 }), (text, places) => {
    const whole = new CodeFences().push(text).end()
    const pieces = new CodeFences()
    for (const piece of cut(text, places)) pieces.push(piece)
    expect(pieces.end().count).toBe(whole.count)
  }), { numRuns: 1000 })
})
