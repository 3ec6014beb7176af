import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BlockScanner, type ScanItem } from '../../src/scanner/index.js'

const LONGEST = 6000
/** Of content lines, in all more than `LONGEST`. */
const FILLING = `${'content '.repeat(11)}\n`.repeat(100)
const LINE = 'x'.repeat(LONGEST + 1)

function scan(text: string, cuts: readonly number[] = []): ScanItem[] {
  const items: ScanItem[] = []
  const scanner = new BlockScanner((item) => items.push(item), { longest: LONGEST, editFormats: ['search-replace', 'v4a', 'unified'] })
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((one, other) => one - other), text.length]
  places.slice(1).forEach((place, at) => scanner.push(text.slice(places[at], place)))
  scanner.end()
  return items
}

/** Kind, codes of its errors, first and last line. */
const told = (items: readonly ScanItem[]): unknown[] => items.map((item) => (
  'errors' in item ? [item.kind, item.errors.map(({ code }) => code).join(), item.startLine, item.endLine] : [item.kind]
))

const sham = (id: string, content: string): string => `#!SHAM [@three-char-SHA-256: ${id}]\nv = <<'EOT_SHAM_${id}'\n${content}\nEOT_SHAM_${id}\n#!END_SHAM_${id}\n`
const good = sham('new', 'short')

const cases: [string, string, unknown[]][] = [
  ['a value of many lines', sham('abc', FILLING), [['sham', 'FILE_TOO_LARGE', 1, 105], ['sham', '', 106, 110]]],
  ['a value of one line', sham('abc', LINE), [['sham', 'FILE_TOO_LARGE', 1, 5], ['sham', '', 6, 10]]],
  ['many short values', `#!SHAM [@three-char-SHA-256: abc]\n${"v = <<'EOT_SHAM_abc'\nx\nEOT_SHAM_abc\n".repeat(200)}#!END_SHAM_abc\n`, [['sham', 'FILE_TOO_LARGE', 1, 602], ['sham', '', 603, 607]]],
  ['an envelope', `\`\`\`yaml hermes\n${FILLING}\`\`\`\n`, [['envelope', 'FILE_TOO_LARGE', 1, 102], ['sham', '', 103, 107]]],
  ['an envelope with one line', `\`\`\`json hermes\n${LINE}\n\`\`\`\n`, [['envelope', 'FILE_TOO_LARGE', 1, 3], ['sham', '', 4, 8]]],
  ['a call of many lines', `<tool_call>{"a": [\n${'"x",\n'.repeat(2000)}1]}</tool_call>\n`, [['tool-call', 'FILE_TOO_LARGE', 1, 2002], ['sham', '', 2003, 2007]]],
  // Where these end is not known: what follows is not read.
  ['a value that never ends', `#!SHAM [@three-char-SHA-256: abc]\nv = <<'EOT_SHAM_abc'\n${FILLING}#!END_SHAM_abc\n`, [['sham', 'FILE_TOO_LARGE,UNCLOSED_HEREDOC', 1, 108], ['skipped']]],
  ['a call of one line', `<tool_call>{"a": "${LINE}"}</tool_call>\n`, [['section-error', 'FILE_TOO_LARGE', 1, 1]]],
  ['a line of prose', `${LINE}\n`, [['section-error', 'FILE_TOO_LARGE', 1, 1]]],
  ['an edit', `a.txt\n<<<<<<< SEARCH\n${FILLING}=======\nx\n>>>>>>> REPLACE\n`, [['edit', 'FILE_TOO_LARGE', 2, 70]]],
  ['a line of an edit', `a.txt\n<<<<<<< SEARCH\n${LINE}\n=======\nx\n>>>>>>> REPLACE\n`, [['edit', 'FILE_TOO_LARGE', 2, 2]]],
  ['a patch', `*** Begin Patch\n*** Add File: a.txt\n${'+content\n'.repeat(1000)}*** End Patch\n`, [['edit', 'FILE_TOO_LARGE', 1, 665]]],
  ['a line of a body', `#!SHAM [@three-char-SHA-256: abc]\nv = "${LINE}"\n#!END_SHAM_abc\n`, [['sham', 'FILE_TOO_LARGE', 1, 2]]],
]

it.each(cases)('%s that is too long costs one block, and is not held', (_, text, expected) => {
  expect(told(scan(text + good))).toEqual(expected)
})

it('an edit of which no line but its last is beyond the limit is read, however it comes', () => {
  const patch = `*** Begin Patch\n*** Add File: a.txt\n+${'x'.repeat(LONGEST - 50)}\n*** End Patch\n`
  expect(patch.length).toBeGreaterThan(LONGEST)
  for (const cuts of [[], Array.from(patch, (_, at) => at)]) expect(told(scan(patch + good, cuts))).toEqual([['edit', '', 1, 4], ['sham', '', 5, 9]])
})

it('what is exactly as long runs', () => {
  const text = sham('abc', 'x'.repeat(LONGEST - sham('abc', '').length + 1))
  expect(text).toHaveLength(LONGEST + 1)
  expect(told(scan(text))).toEqual([['sham', '', 1, 5]])
})

it('how the text is cut changes nothing', () => {
  const texts = cases.map(([, text]) => text + good)
  fc.assert(fc.property(fc.constantFrom(...texts), fc.array(fc.nat(), { maxLength: 40 }), (text, cuts) => {
    expect(scan(text, cuts)).toEqual(scan(text))
  }), { numRuns: 200 })
})
