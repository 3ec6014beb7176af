import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nulEnded, nulFields, nulNames, parseLog, parseNumstat, parseStatus } from '../src/index.js'

/** Any name git can have, with what its formats separate by. */
const name = fc.string({
  unit: fc.constantFrom('a', ' ', '\t', '\n', '"', '\\', '#', '?', '1', '-', 'é', '\u{1f44b}', '/', 'u', ':', '\ufeff'),
  minLength: 1, maxLength: 12,
})
const hash = 'f'.repeat(40)

describe('parseStatus', () => {
  it('reads back what is written, whatever the names are', () => {
    const letters = fc.constantFrom('.', 'M', 'A', 'D', 'R', 'C', 'T')
    const entry = fc.oneof(
      fc.record({ path: name, index: letters, workTree: letters, kind: fc.constant('changed' as const) }),
      fc.record({ path: name, oldPath: name, index: letters, workTree: letters, kind: fc.constant('changed' as const) }),
      fc.record({
        path: name, index: fc.constantFrom('A', 'U', 'D'), workTree: fc.constantFrom('A', 'U', 'D'),
        kind: fc.constant('conflicted' as const),
      }),
      fc.record({ path: name, index: fc.constant('?'), workTree: fc.constant('?'), kind: fc.constant('untracked' as const) }),
    )
    fc.assert(fc.property(fc.array(entry), fc.option(name), (entries, branch) => {
      const records = entries.map(one => {
        const xy = one.index + one.workTree
        if (one.kind === 'untracked') return `? ${one.path}\0`
        if (one.kind === 'conflicted') return `u ${xy} N... 1 2 3 4 ${hash} ${hash} ${hash} ${one.path}\0`
        if ('oldPath' in one) return `2 ${xy} N... 1 2 3 ${hash} ${hash} R100 ${one.path}\0${one.oldPath}\0`
        return `1 ${xy} N... 1 2 3 ${hash} ${hash} ${one.path}\0`
      })
      const output = `# branch.oid ${hash}\0# branch.head ${branch ?? '(detached)'}\0${records.join('')}`
      expect(parseStatus(Buffer.from(output))).toEqual({ branch: { head: hash, branch }, entries })
    }))
  })

  it('reads the branch', () => {
    const output = '# branch.oid (initial)\0# branch.head main\0# branch.upstream origin/main\0# branch.ab +2 -13\0'
    expect(parseStatus(Buffer.from(output)).branch).toEqual({
      head: null, branch: 'main', upstream: 'origin/main', ahead: 2, behind: 13,
    })
  })
})

it('parseNumstat reads back what is written', () => {
  const lines = fc.oneof(
    fc.record({ path: name, added: fc.nat(), removed: fc.nat() }),
    fc.record({ path: name, oldPath: name, added: fc.nat(), removed: fc.nat() }),
    fc.record({ path: name, added: fc.constant(0), removed: fc.constant(0), binary: fc.constant(true as const) }),
  )
  fc.assert(fc.property(fc.array(lines), files => {
    const output = files.map(file => {
      const counts = 'binary' in file ? '-\t-\t' : `${file.added}\t${file.removed}\t`
      return 'oldPath' in file ? `${counts}\0${file.oldPath}\0${file.path}\0` : `${counts}${file.path}\0`
    })
    expect(parseNumstat(Buffer.from(output.join('')))).toEqual(files)
  }))
})

it('parseLog reads back what is written, and leaves out a commit that was cut off', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', ' ', '<', '>', '\t') })
  const commit = fc.record({ hash: fc.constant(hash), authorName: text, authorEmail: text, date: text, subject: text, body: text })
  fc.assert(fc.property(fc.array(commit), commits => {
    const output = commits.map(one => `${Object.values(one).join('\0')}\n\n\0`).join('')
    expect(parseLog(Buffer.from(output))).toEqual(commits)
    expect(parseLog(Buffer.from(`${output}${hash}\0Ada\0cut`))).toEqual(commits)
  }))
})

it('nulNames and nulEnded keep every byte of names', () => {
  const bytesOf = fc.uint8Array({ minLength: 1 }).map(bytes => bytes.map(byte => byte === 0 ? 0xff : byte))
  fc.assert(fc.property(fc.array(bytesOf), names => {
    const output = Buffer.concat(names.flatMap(bytes => [bytes, Buffer.from([0])]))
    const read = nulNames(output)
    expect(read).toHaveLength(names.length)
    expect(Buffer.from(nulEnded(read)).equals(output)).toBe(true)
  }))
})

it('nulFields shows bytes that are not UTF-8 as U+FFFD and keeps a byte order mark', () => {
  expect(nulFields(Buffer.from([0xe9, 0, 0xef, 0xbb, 0xbf, 0x61, 0, 0x62]))).toEqual(['\ufffd', '\ufeffa'])
})
