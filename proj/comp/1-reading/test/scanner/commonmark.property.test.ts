import { Parser, type Node } from 'commonmark'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BlockScanner } from '../../src/scanner/index.js'

/**
 * Where markdown is quoted, told by the CommonMark reference parser: random documents with probe blocks in them, each
 * of which must be live or skipped exactly as the parser's tree says.
 */

/** `text`: in a fence, with something before it on its line; whether that looks like a block is not markdown's say. */
type Verdict = 'live' | 'indented' | 'blockquote' | 'fence' | 'text'

const REASONS: readonly [RegExp, Verdict][] = [
  [/^indented/, 'indented'], [/blockquote/, 'blockquote'], [/fence/, 'fence'],
]

function scannerVerdicts(text: string): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>()
  const scanner = new BlockScanner((item) => {
    if (item.kind === 'sham' && item.id !== undefined) verdicts.set(item.id, 'live')
    else if (item.kind === 'skipped' && item.block.blockId !== undefined) {
      verdicts.set(item.block.blockId, REASONS.find(([reason]) => reason.test(item.block.reason))?.[1] ?? 'live')
    }
  })
  scanner.push(text)
  scanner.end()
  return verdicts
}

function oracleVerdicts(text: string): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>()
  const source = text.split('\n')
  const walker = new Parser().parse(text).walker()
  for (let step = walker.next(); step; step = walker.next()) {
    const { node, entering } = step
    if (!entering) continue
    if (node.type === 'code_block') {
      const lines = (node.literal ?? '').split('\n')
      const fenced = (node as unknown as { _isFenced: boolean })._isFenced
      const shown = fenced && isLive(node.info ?? '') ? shownInside(lines) : lines.map(() => fenced)
      lines.forEach((line, index) => {
        const id = probeId(line)
        if (id === undefined) return
        const indent = columnsOf(/^[ \t]*/.exec(line)![0])
        if (fenced && !/^[ \t]*#/.test(line) && !inQuote(node)) verdicts.set(id, 'text')
        else verdicts.set(id, inQuote(node) ? 'blockquote' : shown[index] ? 'fence' : !fenced || indent >= 4 ? 'indented' : 'live')
      })
    } else if (node.type === 'paragraph') {
      const [[first], [last]] = node.sourcepos
      for (const line of source.slice(first - 1, last)) {
        const id = probeId(line)
        if (id !== undefined) verdicts.set(id, inQuote(node) ? 'blockquote' : 'live')
      }
    }
  }
  return verdicts
}

/** Lines of a live fence that a shorter or other fence inside it shows. */
function shownInside(lines: readonly string[]): boolean[] {
  let inner: string | undefined
  return lines.map((line) => {
    const shown = inner !== undefined
    const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*)$/.exec(line)
    if (inner === undefined && fence) inner = fence[1]
    else if (inner !== undefined && fence && fence[2] === '' && fence[1]!.startsWith(inner)) inner = undefined
    return shown
  })
}

function columnsOf(blanks: string): number {
  return [...blanks].reduce((column, char) => (char === '\t' ? column + 4 - (column % 4) : column + 1), 0)
}

function inQuote(node: Node): boolean {
  for (let parent: Node | null = node; parent; parent = parent.parent) if (parent.type === 'block_quote') return true
  return false
}

function isLive(info: string): boolean {
  return ['', 'sh', 'bash', 'shell', 'sham', 'nesl'].includes(info.split(/\s/, 1)[0]!)
}

function probeId(line: string): string | undefined {
  return /#!SHAM \[@x: (p\d+)\]/.exec(line)?.[1]
}

const prefix = fc.constantFrom('', '', '', ' ', '   ', '    ', '\t', '- ', '* ', '1. ', '10) ', '> ', '  ', '     ', '-   ', '-\t', '- - ')
/** No fence: a backtick stands in its info string. Like all paragraphs here it is followed by a blank line. */
const PROSE = '``` a`b'
const leaf = fc.constantFrom('```sh', '```js', '```', '````', '```` bash', '~~~', '~~~~ python', PROSE, '# title', '***', '- - -', '-', '')

function documentOf(parts: readonly (readonly [string, string | number])[]): string {
  let probe = 0
  const lines: string[] = []
  for (const [before, what] of parts) {
    if (typeof what === 'string') lines.push(before + what, ...(what === PROSE ? [''] : []))
    else {
      const id = `p${10 + probe++}`
      // The end marker goes on in the same container, and a blank line follows: no lazy continuation anywhere.
      const again = before.replace(/[-*]|\d+[.)]/g, (marker) => ' '.repeat(marker.length))
      lines.push(`${before}#!SHAM [@x: ${id}]`, `${again}#!END_SHAM_${id}`, '')
    }
  }
  return lines.join('\n')
}

describe('fences and containers, against the CommonMark reference parser', () => {
  it('agrees on which blocks are quoted', () => {
    const part = fc.tuple(prefix, fc.oneof({ arbitrary: leaf, weight: 3 }, { arbitrary: fc.constant(0), weight: 2 }))
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 14 }), (parts) => {
        const text = documentOf(parts)
        const [found, expected] = [scannerVerdicts(text), oracleVerdicts(text)]
        for (const [id, verdict] of expected) if (verdict === 'text' && expected.delete(id)) found.delete(id)
        expect(Object.fromEntries(found), text).toEqual(Object.fromEntries(expected))
      }),
      { numRuns: Number(process.env['RUNS'] ?? 3000) },
    )
  })

  it('agrees on what a paragraph keeps a list from starting', () => {
    const line = fc.constantFrom('some prose', '2. two', '1. one', '-', '- a', '---', '===', '  ```sh', '   - b', '', '# t', '10. x')
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
        // A list line is followed by a blank one, so that nothing continues it lazily.
        const text = lines.flatMap((each) => (/^ *(?:[-\d])/.test(each) ? [each, ''] : [each])).join('\n') +
          '\n\n    #!SHAM [@x: p10]\n    #!END_SHAM_p10\n\n  #!SHAM [@x: p11]\n  #!END_SHAM_p11\n'
        expect(Object.fromEntries(scannerVerdicts(text)), text).toEqual(Object.fromEntries(oracleVerdicts(text)))
      }),
      { numRuns: Number(process.env['RUNS'] ?? 3000) },
    )
  })
})
