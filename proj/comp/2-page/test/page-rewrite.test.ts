import { describe, expect, it } from 'vitest'
import { describeRewrite } from '../../2-extensions/src/index.js'
import { pageRewrite } from '../src/index.js'

const who = { extension: 'tidy', version: '1.2', command: 'clean' }
const shown = async (before: string, after: string) => pageRewrite(await describeRewrite(who, before, after))

describe('what a page shows of a rewrite', () => {
  it('has the lines of each place, with their numbers', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`)
    const after = lines.with(1, 'two\n').with(18, 'nineteen\n')
    const { title, change } = await shown(lines.join(''), after.join(''))
    expect(title).toBe('rewritten by tidy 1.2 (clean): +2 −2')
    expect(change).toMatchObject({ kind: 'modify', path: 'the answer', added: 2, removed: 2 })
    expect(change.hunks.map(({ oldStart, newStart, lines: [first] }) => [oldStart, newStart, first])).toEqual([
      [1, 1, ' line 1'], [16, 16, ' line 16'],
    ])
  })

  it('strips the line breaks of a text of CRLF alone, and tells of a last line without one', async () => {
    expect((await shown('a\r\nb\r\n', 'a\r\nc\r\n')).change.hunks[0]?.lines).toEqual([' a', '-b', '+c'])
    expect((await shown('a\r\nb\r\n', 'a\r\nb\n')).change.hunks[0]?.lines).toEqual([' a\r', '-b\r', '+b'])
    expect((await shown('a\n', 'a')).change.hunks[0]?.lines).toEqual(['-a', '+a', '\\ No newline at end of file'])
    expect((await shown('a\nb', 'c\nb')).change.hunks[0]?.lines).toEqual(['-a', '+c', ' b'])
  })

  it('says what it leaves out', async () => {
    const long = `${'x'.repeat(70_000)}\n`
    expect((await shown(long, 'a\n')).change.note).toBe('Too long to be shown as a whole.')
    expect(pageRewrite({ ...who, before: '', after: '', diff: '' }).change).toMatchObject({ hunks: [], note: 'Too different for a diff.' })
  })
})
