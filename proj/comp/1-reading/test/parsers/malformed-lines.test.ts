import { expect, it } from 'vitest'
import { parse } from '../../src/parsers/index.js'

it('reports many malformed lines in a row by one error of their block', () => {
  const text = `#!SHAM [@three-char-SHA-256: abc]\n${'not a line of a block\n'.repeat(4000)}#!END_SHAM_abc\n`
  const { blocks, errors, totalBlocks } = parse(text)
  expect(blocks).toEqual([])
  expect(totalBlocks).toBe(1)
  expect(errors.map(({ blockId, error }) => [blockId, error.code, error.line])).toEqual([['abc', 'MALFORMED_ASSIGNMENT', 2]])
  expect(errors[0]?.error.message).toContain('; 3999 more lines below it are malformed')
})

it('reports many malformed lines among others by three errors', () => {
  const lines = Array.from({ length: 2000 }, (_, at) => `key${at} = "value"\nnot a line of a block\n`).join('')
  const { errors } = parse(`#!SHAM [@three-char-SHA-256: abc]\n${lines}#!END_SHAM_abc\n`)
  expect(errors.map(({ error }) => [error.code, error.line])).toEqual([
    ['MALFORMED_ASSIGNMENT', 3], ['MALFORMED_ASSIGNMENT', 5], ['MALFORMED_ASSIGNMENT', 7],
  ])
  expect(errors[2]?.error.message).toBe("1998 more lines of block 'abc' are malformed")
})
