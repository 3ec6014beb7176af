import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ParsedBlock, ParseError, ParseOutcome } from '../../../0-contracts/src/index.js'
import { readGoldens } from '../../../../test/support/goldens.js'
import { markerSoup } from '../../../../test/support/marker-soup.js'
import { mendText, parse } from '../../src/parsers/index.js'
import { applyFix } from '../../src/scanner/index.js'
import { decodeInput } from './golden-input.js'

const RUNS = Number(process.env['RUNS'] ?? 2000)
const slips = readGoldens(new URL('../../test-data/parsers/slips.cases.md', import.meta.url)).map((golden) => {
  const { body, info } = golden.fences[0]!
  return { name: golden.name, ...decodeInput(body, info.split(/\s+/).slice(1)) }
})

describe('a fix', () => {
  it.each(slips)('mends its block and changes no other: $name', ({ text }) => {
    expectMended(text)
    expectMended(text.replaceAll('\n', '\r\n'))
    expectMended(`Prose.\n\n${text}`)
  })

  it('mends its block and changes no other, whatever the text', () => {
    fc.assert(fc.property(fc.oneof(markerSoup, mutants), (text) => {
      expectMended(text)
    }), { numRuns: RUNS })
  })
})

describe('all the fixes of a text at once', () => {
  it('mend what each mends, where one id is used throughout too', () => {
    fc.assert(fc.property(fc.oneof(oneId, mutants), (text) => {
      expectMended(text)
      expectMendedThrough(text)
    }), { numRuns: RUNS })
  })

  it('are there for each forgotten or misspelled terminator, though all blocks have one id', () => {
    const block = (end: string): string => `#!SHAM [@x: abc]\naction = "w"\ncontent = <<'EOT_SHAM_abc'\ntext\n${end}#!END_SHAM_abc\n`
    const text = [block(''), block('EOT\n'), block('EOT_SHAM_abc\n'), block('')].join('\n')
    const { errors, blocks } = parse(text)
    expect(blocks).toHaveLength(1)
    expect(errors.map(({ error }) => error.fix)).toEqual([
      { startLine: 5, endLine: 4, text: 'EOT_SHAM_abc' }, { startLine: 11, endLine: 11, text: 'EOT_SHAM_abc' },
      { startLine: 25, endLine: 24, text: 'EOT_SHAM_abc' },
    ])
    expect(mendText(text, parse).outcome.blocks).toHaveLength(4)
  })
})

it('is not offered where a tab makes an end marker stand too deep', () => {
  const { errors } = parse(" #!SHAM [@x: xyz]\ncontent = <<'EOT_SHAM_xyz'\n-->\n\t#!END_SHAM_xyz\n")
  expect(errors.map(({ error }) => error.fix)).toEqual([undefined])
})

/** What a line of an answer may come to. */
const SLIPS: readonly ((line: string) => string[])[] = [
  () => [], (line) => [line, line], (line) => [line.toLowerCase()], (line) => [line.slice(1)], (line) => [`${line}]`],
  (line) => [line.slice(0, -1)], (line) => [line.replaceAll('"', "'")], (line) => [line, '```'], (line) => ['```', line],
  (line) => [line, '', 'Prose that goes on.'], (line) => [line.replace('#!', '# !')], (line) => [` ${line}`],
  (line) => [line.replace(/EOT_\w+/, 'EOT')], (line) => [line.replace("<<'", '<<')], (line) => [line.replace(' = ', ' := ')],
  (line) => [line.replace('abc', 'abd')], (line) => [line.replace('def', 'abc')],
]

/** Valid blocks, with a slip in up to two lines. */
const mutants = fc.tuple(
  fc.array(fc.constantFrom(
    '#!SHAM [@three-char-SHA-256: abc]\naction = "ls"\npath = "/a"\n#!END_SHAM_abc',
    "#!SHAM [@three-char-SHA-256: def]\naction = \"w\"\ncontent = <<'EOT_SHAM_def'\none\n  two\nEOT_SHAM_def\n#!END_SHAM_def",
    "```sh\n#!nesl [@three-char-SHA-256: abc]\naction = \"w\"\ncontent = <<'EOT_abc'\n#!end_abc\nEOT_abc\nx = \"y\"\n#!end_abc\n```",
    '```json hermes\n{\n  "verb": "ls",\n  "arguments": {"path": "/a"}\n}\n```',
    '<tool_call>\n{"name": "ls", "arguments": {"path": "/a"}}\n</tool_call>',
    'Prose, and more of it.', '', '- item\n  of two lines',
  ), { minLength: 1, maxLength: 5 }),
  fc.array(fc.tuple(fc.nat(), fc.nat(SLIPS.length - 1)), { minLength: 1, maxLength: 2 }),
).map(([blocks, slipsMade]) => {
  const lines = blocks.join('\n').split('\n')
  for (const [at, slip] of slipsMade) {
    if (lines.length === 0) return ''
    const place = at % lines.length
    lines.splice(place, 1, ...SLIPS[slip]!(lines[place]!))
  }
  return `${lines.join('\n')}\n`
})

/** Blocks with one id, of which some lack a marker or spell it wrong. */
const oneId = fc.array(fc.record({
  lines: fc.array(fc.constantFrom('one', '  two', '', 'key: value', '#!END_SHAM_def', '- item', '```'), { maxLength: 3 }),
  terminator: fc.constantFrom('EOT_SHAM_abc\n', 'EOT_SHAM_abc\n', '', '', 'EOT\n', 'EOT_SHAM_abd\n'),
  second: fc.constantFrom('', '', "more = <<'EOT_SHAM_abc'\nx\nEOT_SHAM_abc\n"),
  end: fc.constantFrom('#!END_SHAM_abc\n', '#!END_SHAM_abc\n', '#!END_SHAM_abc\n', '', '#!END_SHAM_abd\n'),
  behind: fc.constantFrom('', '\n', '\nProse.\n', '<tool_call>{"name": "ls"}</tool_call>\n'),
}), { minLength: 1, maxLength: 5 }).map((blocks) => blocks.map(({ lines, terminator, second, end, behind }) => (
  `#!SHAM [@x: abc]\naction = "w"\ncontent = <<'EOT_SHAM_abc'\n${lines.map((line) => `${line}\n`).join('')}${terminator}${second}${end}${behind}`
)).join(''))

/** Whatever has a fix is mended, nothing that parsed is lost, and a mended text stays as it is. */
function expectMendedThrough(text: string): void {
  const before = parse(text)
  const { text: after, mended, outcome } = mendText(text, parse)
  const what = JSON.stringify({ text, after })
  expect(outcome, what).toEqual(parse(after))
  expect(outcome.errors.filter(({ error }) => error.fix), what).toEqual([])
  expect(calls(outcome.blocks), what).toEqual(expect.arrayContaining(calls(before.blocks)))
  expect(mended.length > 0, what).toBe(before.errors.some(({ error }) => error.fix))
  expect(mendText(after, parse), what).toMatchObject({ text: after, mended: [] })
}

function expectMended(text: string): void {
  const before = parse(text)
  for (const found of before.errors) {
    const { fix } = found.error
    if (!fix) continue
    const after = parse(applyFix(text, fix))
    const what = JSON.stringify({ text, fix })
    const gone = before.errors.filter(({ blockId, startLine }) => blockId !== found.blockId || startLine !== found.startLine)
    expect(after.blocks.length, what).toBe(before.blocks.length + (found.error.code === 'INVALID_ENVELOPE' ? added(after, before) : 1))
    expect(calls(after.blocks), what).toEqual(expect.arrayContaining(calls(before.blocks)))
    expect(after.errors.length, what).toBeLessThanOrEqual(gone.length)
  }
}

/** A list of envelopes is mended as a whole. */
function added(after: ParseOutcome, before: ParseOutcome): number {
  expect(after.blocks.length).toBeGreaterThan(before.blocks.length)
  return after.blocks.length - before.blocks.length
}

function calls(blocks: readonly ParsedBlock[]): string[] {
  return blocks.map(({ action, params }) => JSON.stringify([action, params]))
}

describe('mendText', () => {
  const failed = (startLine: number, endLine: number, text: string): ParseError => ({
    blockId: 'abc', startLine, endLine, source: '',
    error: { code: 'INVALID_ENVELOPE', message: '', line: startLine, column: 1, length: 1, fix: { startLine, endLine, text } },
  })
  const readOnce = (errors: ParseError[]) => (text: string): ParseOutcome => (
    { blocks: [], errors: text.startsWith('a') ? errors : [], skipped: [], totalBlocks: 0 })

  it('takes the wider of two fixes that begin at one line, and none that overlaps it', () => {
    const { text, mended } = mendText('a\nb\nc\nd', readOnce([failed(3, 3, 'y'), failed(1, 1, 'v'), failed(1, 3, 'x'), failed(4, 4, 'z')]))
    expect([text, mended.length]).toEqual(['x\nz', 2])
  })

  it('leaves all other bytes alone: line ends, blanks, a last line without its break', () => {
    const block = (head: string): string => `  a \t\r\n\n${head}\r\naction = "ls"\r\n#!END_SHAM_abc\r\nb`
    expect(mendText(block('#! SHAM [@three-char-SHA-256: abc]'), parse).text).toBe(block('#!SHAM [@three-char-SHA-256: abc]'))
  })

  it('ends where fixes never do', () => {
    const endless = (): ParseOutcome => ({ blocks: [], errors: [failed(1, 1, 'x')], skipped: [], totalBlocks: 1 })
    expect(mendText('a', endless)).toMatchObject({ text: 'x', outcome: { errors: [{ blockId: 'abc' }] } })
  })
})

describe('applyFix', () => {
  const line = fc.constantFrom('a', 'b', '', 'c d')
  it.each([
    ['replaces lines', 'a\nb\nc\n', { startLine: 2, endLine: 2, text: 'x\ny' }, 'a\nx\ny\nc\n'],
    ['inserts a line', 'a\nb\n', { startLine: 2, endLine: 1, text: 'x' }, 'a\nx\nb\n'],
    ['takes lines out', 'a\nb\nc\n', { startLine: 1, endLine: 2, text: '' }, 'c\n'],
    ['inserts at the end', 'a\n', { startLine: 2, endLine: 1, text: 'x' }, 'a\nx\n'],
    ['inserts behind a last line without a line break', 'a', { startLine: 2, endLine: 1, text: 'x' }, 'a\nx'],
    ['keeps CRLF', 'a\r\nb\r\n', { startLine: 2, endLine: 2, text: 'x\ny' }, 'a\r\nx\r\ny\r\n'],
    ['keeps a last line without a line break', 'a\r\nb', { startLine: 2, endLine: 2, text: 'x\ny' }, 'a\r\nx\r\ny'],
  ])('%s', (_, text, fix, expected) => expect(applyFix(text, fix)).toBe(expected))

  it('puts back what it replaces', () => {
    const lines = fc.array(line, { minLength: 1, maxLength: 6 })
    fc.assert(fc.property(lines, fc.nat(), fc.constantFrom('\n', '\r\n'), fc.boolean(), (parts, at, eol, isOpen) => {
      const text = parts.join(eol) + (isOpen && parts.at(-1) !== '' ? '' : eol)
      const place = at % parts.length
      fc.pre(parts[place] !== '')
      expect(applyFix(text, { startLine: place + 1, endLine: place + 1, text: parts[place]! })).toBe(text)
    }))
  })
})
