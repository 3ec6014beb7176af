import { describe, expect, it } from 'vitest'
import { writtenForm } from '../../src/paths/index.js'

describe('writtenForm', () => {
  it.each([
    ['the parent of an absolute path', '/r/a/b.txt', '/r/a/b.txt', '/r/a', '/r/a'],
    ['under an alias', '/workspace/a/b.txt', '/home/me/p/a/b.txt', '/home/me/p/a', '/workspace/a'],
    ['relative', 'a/b.txt', '/r/a/b.txt', '/r/a', 'a'],
    ['the path itself, with a slash', '/w/a/', '/r/a', '/r/a', '/w/a'],
    ['through a link', '/r/link/b.txt', '/r/real/b.txt', '/r/real', '/r/link'],
    ['dots make it canonical', '/r/x/../a/b.txt', '/r/a/b.txt', '/r/a', '/r/a'],
    ['other names make it canonical', '/r/link', '/r/real/b.txt', '/r/real', '/r/real'],
    ['not above it at all', '/r/a/b.txt', '/r/a/b.txt', '/q', '/q'],
  ])('%s', (_, written, approved, canonical, expected) => {
    expect(writtenForm(written, approved, canonical)).toBe(expected)
  })
})
