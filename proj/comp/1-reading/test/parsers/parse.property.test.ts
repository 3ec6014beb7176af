import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cut, markerSoup } from '../../../../test/support/marker-soup.js'
import { parse, parseChunks } from '../../src/parsers/index.js'

const RUNS = Number(process.env['RUNS'] ?? 2000)
const text = fc.oneof({ arbitrary: markerSoup, weight: 4 }, { arbitrary: fc.string({ unit: 'binary', maxLength: 200 }), weight: 1 })

describe('parse, for any text', () => {
  it('returns, and its figures add up', () => {
    fc.assert(fc.property(text, (input) => {
      const { blocks, errors, skipped, totalBlocks } = parse(input)
      const lines = input.split('\n').length
      // Blocks that failed: each has its own first line and id; sections that only hid blocks are not counted.
      const failed = new Set(errors
        .filter(({ error }) => !['UNCLOSED_THINK', 'UNCLOSED_COMMENT', 'UNCLOSED_FENCE'].includes(error.code))
        .map(({ startLine, blockId, source }) => `${startLine} ${blockId} ${source}`))
      expect(totalBlocks).toBeGreaterThanOrEqual(blocks.length)
      expect(totalBlocks).toBeLessThanOrEqual(blocks.length + errors.length)
      if (!errors.some(({ error }) => error.code === 'NOT_LIVE')) expect(totalBlocks).toBeGreaterThanOrEqual(blocks.length + failed.size)
      for (const block of blocks) {
        expect(block.startLine).toBeGreaterThanOrEqual(1)
        expect(block.endLine).toBeGreaterThanOrEqual(block.startLine)
        expect(block.endLine).toBeLessThanOrEqual(lines)
      }
      for (const { startLine, source, error } of errors) {
        expect(startLine).toBeGreaterThanOrEqual(1)
        expect(error.line).toBeGreaterThanOrEqual(1)
        expect(error.line).toBeLessThanOrEqual(lines)
        expect(error.column).toBeGreaterThanOrEqual(1)
        expect(Buffer.byteLength(source)).toBeLessThanOrEqual(4096)
        expect(error.hint, error.message).toBeTruthy()
      }
      for (const block of skipped) expect(block.endLine).toBeGreaterThanOrEqual(block.startLine)
    }), { numRuns: RUNS })
  })

  it('never lets live and skipped blocks overlap, nor two live ones but on a line they share', () => {
    fc.assert(fc.property(markerSoup, (input) => {
      const { blocks, skipped } = parse(input)
      for (const block of blocks) {
        for (const quoted of skipped) {
          // What follows a closing think tag counts as a line of its own, on the same line.
          const apart = quoted.endLine < block.startLine || quoted.startLine > block.endLine ||
            (quoted.reason === 'in a think section' && quoted.endLine === block.startLine)
          expect(apart, JSON.stringify({ block, quoted, input })).toBe(true)
        }
      }
      blocks.slice(1).forEach((block, index) => expect(block.startLine).toBeGreaterThanOrEqual(blocks[index]!.endLine))
    }), { numRuns: RUNS })
  })

  it('does not depend on how the text is cut', () => {
    fc.assert(fc.property(text, fc.array(fc.nat(), { maxLength: 8 }), fc.boolean(), (input, places, startsInThink) => {
      const whole = parse(input, { startsInThink })
      expect(parseChunks(cut(input, places), { startsInThink })).toEqual(whole)
      expect(parseChunks(input.split(''), { startsInThink })).toEqual(whole)
    }), { numRuns: RUNS })
  })
})

describe('a text that repeats itself', () => {
  it('does not depend on how it is cut, also where each piece is the same as the one before', () => {
    const count = fc.integer({ min: 2, max: 6 })
    fc.assert(fc.property(markerSoup, markerSoup, count, fc.constantFrom('', '\n', '\n\n'), (before, unit, times, end) => {
      const piece = unit + end
      const whole = parse(before + piece.repeat(times))
      expect(parseChunks([before, ...Array<string>(times).fill(piece)])).toEqual(whole)
    }), { numRuns: RUNS })
  })

  it.each([
    ['blocks', '', '#!SHAM [@three-char-SHA-256: abc]\naction = "ls"\npath = "/a"\n#!END_SHAM_abc\n'.repeat(2)],
    ['fences', '```\nfirst listing\n', `\`\`\`\nSome prose that is the same in every one of these pieces of text.\n`],
  ])('in pieces of its period: %s', (_, before, piece) => {
    const call = '<tool_call>{"name": "ls", "arguments": {"path": "/a"}}</tool_call>\n'
    const whole = parse(before + piece.repeat(4) + call)
    expect(parseChunks([before, piece, piece, piece, piece, call])).toEqual(whole)
    expect(parseChunks([before + piece, piece, piece, piece + call])).toEqual(whole)
  })
})

describe('stretches without a marker', () => {
  const filler = fc.array(fc.constantFrom(
    'Prose that goes on for a while, so that there is something to pass over.', '- item of a list', '  its second line', '    code',
    '1. first', '   more', '', '> quoted', '# Heading', '---', '***', 'text', '===', '* * *', '\ttab', '+', '10) ten', 'é – ü', '`code`', 'a < b!',
  ), { maxLength: 12 }).map((lines) => lines.join('\n'))

  it('are passed over as if each line had been read', () => {
    const pieces = fc.array(fc.tuple(filler, markerSoup), { maxLength: 6 })
    fc.assert(fc.property(pieces, fc.constantFrom('\n', '\r\n'), (parts, eol) => {
      const input = parts.flat().join('\n').replaceAll('\n', eol)
      // In pieces of a line nothing is long enough to be passed over.
      expect(parse(input)).toEqual(parseChunks(input.split(/(?<=\n)/)))
    }), { numRuns: RUNS })
  })
})

describe('heredocs', () => {
  const content = fc.oneof(markerSoup, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))

  it('carry any content without its terminator line byte for byte', () => {
    fc.assert(fc.property(content, fc.constantFrom('\n', '\r\n'), fc.constantFrom('SHAM', 'NESL', 'nesl'), (raw, eol, dialect) => {
      const id = 'abc'
      const [word, end] = dialect === 'nesl' ? [`EOT_${id}`, `#!end_${id}`] : [`EOT_${dialect}_${id}`, `#!END_${dialect}_${id}`]
      fc.pre(!raw.split('\n').some((line) => line.trim() === word))
      // Its own header and then any opener inside: the next terminator may be the inner one's, which is refused.
      fc.pre(!new RegExp(`#.*${id}[^]*<<`).test(raw))
      const block = `#!${dialect} [@three-char-SHA-256: ${id}]${eol}content = <<'${word}'${eol}${raw}${eol}${word}${eol}${end}${eol}`
      const { blocks, errors } = parse(`Prose.\n\n${block}\nMore.`)
      expect(errors).toEqual([])
      expect(blocks.map((each) => each.params['content'])).toEqual([raw])
    }), { numRuns: RUNS })
  })

  it('strip at most the header\'s own column from each line', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom('a', '  b', ' c', '', '      d')), fc.nat({ max: 3 }), (lines, column) => {
      const pad = ' '.repeat(column)
      const block = ['#!SHAM [@x: abc]', "content = <<'EOT_SHAM_abc'", ...lines, 'EOT_SHAM_abc', '#!END_SHAM_abc']
      const { blocks } = parse(block.map((line) => pad + line).join('\n'))
      expect(blocks[0]?.params['content']).toBe(lines.join('\n'))
    }))
  })
})
