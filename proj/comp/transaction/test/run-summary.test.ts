import { describe, expect, it } from 'vitest'
import { summarize } from '../src/index.js'

const subjectFor = (...paths: string[]): string => summarize(
  paths.map((path) => ({ blockId: 'b', action: 'file_write', params: { path }, success: true })), 0,
  { root: '/home/me/repo', rootAliases: ['/w', '/code/'] },
).subject

describe('the summary of a run', () => {
  it.each([
    ['/w/new.txt', 'new.txt'],
    ['/code/new.txt', 'new.txt'],
    ['/home/me/repo/a/b/c.txt', 'a/b/c.txt'],
    ['./a/b/c.txt', 'a/b/c.txt'],
    ['a/b/c.txt', 'a/b/c.txt'],
    ['/wide/x.txt', '/wide/x.txt'],
    ['/home/me/repository/x.txt', '/home/me/repository/x.txt'],
    [`/w/${'long/'.repeat(12)}name.txt`, `…${'/long'.repeat(7)}/name.txt`],
    [`/w/${'n'.repeat(60)}.txt`, `…${'n'.repeat(40)}.txt`],
  ])('names %s below the root as %s', (path, shown) => {
    expect(subjectFor(path)).toBe(`file_write ${shown}`)
  })

  it('has a subject of at most 72 characters', () => {
    const paths = Array.from({ length: 30 }, (_, at) => `/w/${'deep/'.repeat(at)}${at}.txt`)
    expect(`AI: ${subjectFor(...paths)}`.length).toBeLessThanOrEqual(72)
    expect(`AI: ${subjectFor(...paths.toReversed())}`.length).toBeLessThanOrEqual(72)
  })
})
