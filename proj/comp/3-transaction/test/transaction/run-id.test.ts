import { expect, it } from 'vitest'
import { nextMoment } from '../../src/transaction/run-id.js'

it('runs that begin in one millisecond are still told apart by when they began', () => {
  const moments = Array.from({ length: 1000 }, nextMoment)
  expect(moments).toEqual(moments.toSorted())
  expect(new Set(moments).size).toBe(moments.length)
})
