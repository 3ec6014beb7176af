import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RipgrepReader } from '../../src/search/ripgrep-records.js'

/** `|` stands for NUL. */
const OUTPUT = [
  './a|1|3|text: 5\r\n',
  './a|12|an empty match at the end\n',
  './a: WARNING: stopped searching binary file after match (found "\\0" byte around offset 9)\n',
  './b\nc: d|7|1|\u00e9\n',
  './b\nc: d|8|10001|[Omitted long line with 1 matches]\r\n',
  './e: binary file matches (found "\\0" byte around offset 0)\n',
].join('').replaceAll('|', '\0')

it('reads what ripgrep prints, whatever the pieces cut through', () => {
  fc.assert(fc.property(fc.array(fc.nat(Buffer.byteLength(OUTPUT))), (places) => {
    const read: unknown[] = []
    const reader = new RipgrepReader(
      ({ path, line, offset, text }) => read.push([path, line, offset, text?.toString()]), (path) => read.push(path),
    )
    const bytes = Buffer.from(OUTPUT)
    let from = 0
    for (const place of [...places.sort((a, b) => a - b), bytes.length]) {
      reader.push(bytes.subarray(from, place))
      from = place
    }
    reader.end()
    expect(read).toEqual([
      ['./a', 1, 2, 'text: 5\r'],
      ['./a', 12, undefined, 'an empty match at the end'],
      './a',
      ['./b\nc: d', 7, 0, '\u00e9'],
      ['./b\nc: d', 8, 10_000, undefined],
      './e',
    ])
  }))
})
