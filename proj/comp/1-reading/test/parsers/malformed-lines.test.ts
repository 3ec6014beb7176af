import { expect, it } from 'vitest'
import { parse } from '../../src/parsers/index.js'

it('reports many malformed lines by three errors of one block', () => {
  const text = `#!SHAM [@three-char-SHA-256: abc]\n${'not a line of a block\n'.repeat(4000)}#!END_SHAM_abc\n`
  const { blocks, errors, totalBlocks } = parse(text)
  expect(blocks).toEqual([])
  expect(totalBlocks).toBe(1)
  expect(errors.map(({ blockId, error }) => [blockId, error.code, error.line])).toEqual([
    ['abc', 'MALFORMED_ASSIGNMENT', 2], ['abc', 'MALFORMED_ASSIGNMENT', 3], ['abc', 'MALFORMED_ASSIGNMENT', 4],
  ])
  expect(errors[2]?.error.message).toBe("3998 more lines of block 'abc' are malformed")
})
