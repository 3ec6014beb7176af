import { expect, it } from 'vitest'
import { parse } from '../../src/parsers/index.js'

it.each(['x', 'é', '😀'])('an error about a quoted block of long lines holds at most 4 KiB of it (%s)', (character) => {
  const text = `~~~text\n#!SHAM [@three-char-SHA-256: abc]\naction = "ls"\n${character.repeat(4000)}\n${character.repeat(4000)}\n`
  const [error] = parse(text).errors
  expect(error?.error.code).toBe('UNCLOSED_FENCE')
  const size = Buffer.byteLength(error?.source ?? '')
  expect(size).toBeLessThanOrEqual(4096)
  expect(size).toBeGreaterThan(4090)
  expect(text).toContain(error?.source)
})
