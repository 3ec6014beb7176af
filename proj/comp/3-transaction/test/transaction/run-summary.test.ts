import { describe, expect, it } from 'vitest'
import { summarize } from '../../src/transaction/index.js'

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

  it('counts what it does not name, each once, and says where there was more than it counts', () => {
    const files = (count: number): string[] => Array.from({ length: count }, (_, at) => `${at}`)
    expect(subjectFor(...files(1000), ...files(1000))).toBe('file_write 0, file_write 1, file_write 2, file_write 3 and 996 more')
    expect(subjectFor(...files(20_000))).toMatch(/^file_write 0, .* and over 99\d\d more$/)
    expect(`AI: ${subjectFor(...files(20_000).map((name) => `${'n'.repeat(70)}${name}`))}`.length).toBeLessThanOrEqual(72)
  })

  it('lists the first 200 blocks and counts all', () => {
    const told = Array.from({ length: 300 }, (_, at) => ({
      blockId: `k${at}`, action: 'ls', params: {}, success: at % 2 === 0, ...(at % 2 === 1 && { error: 'no' }),
    }))
    const { lines, blocks, failures } = summarize(told, 2)
    expect(lines).toHaveLength(202)
    expect([lines[0], lines[1], ...lines.slice(-2)]).toEqual([
      'ok     ls [k0]', 'failed ls [k1]: no', '… and 100 more blocks', '2 blocks could not be read',
    ])
    expect({ blocks, failures }).toEqual({ blocks: 302, failures: 152 })
  })
})
