import { expect, it } from 'vitest'
import { parse } from '../../src/parsers/index.js'

it('reports some dozens of many malformed lines, as one block', () => {
  const text = `#!SHAM [@three-char-SHA-256: abc]\n${'not a line of a block\n'.repeat(4000)}#!END_SHAM_abc\n`
  const { blocks, errors, totalBlocks } = parse(text)
  expect(blocks).toEqual([])
  expect(totalBlocks).toBe(1)
  expect(errors.length).toBeGreaterThan(10)
  expect(errors.length).toBeLessThan(100)
  for (const { blockId, error } of errors) expect([blockId, error.code]).toEqual(['abc', 'MALFORMED_ASSIGNMENT'])
})
