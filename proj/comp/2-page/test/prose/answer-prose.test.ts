import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../../test/support/goldens.js'
import { answerProse, type LineSpan } from '../../src/index.js'
import { drawProse, type ProseNode, proseText } from '../../src/prose/prose-node.js'
import { element, joined } from '../../src/static/markup.js'

const cases = readGoldens(new URL('../../test-data/prose/prose.cases.md', import.meta.url))

function htmlOf(node: ProseNode): string {
  return drawProse(node, {
    text: (text) => joined([text]), element: (tag, attributes, children) => element(tag, attributes, ...children),
  }).html
}

/** A line for each element at the top, with the lines of the answer where it stands. */
function shown(answer: string, blocks: readonly LineSpan[]): string {
  return answerProse(answer.split('\n'), blocks).map(({ startLine, endLine, nodes }) => (
    `${startLine}-${endLine} ${nodes.map(htmlOf).join('')}`
  )).join('\n')
}

describe('the prose of an answer', () => {
  it.each(cases)('$name', ({ fences }) => {
    const bodyOf = (name: string): string | undefined => fences.find(({ info }) => info.split(' ')[1] === name)?.body
    const blocks = (bodyOf('blocks') ?? '').split('\n').filter(Boolean).map((line) => line.split('-').map(Number))
    expect(shown(bodyOf('answer') ?? '', blocks.map(([startLine = 0, endLine = 0]) => ({ startLine, endLine })))).toBe(bodyOf('prose'))
  })

  it('leaves as it was written what is long, and what has a carriage return of its own', () => {
    expect(answerProse(['word '.repeat(14_000)], [])).toEqual([])
    expect(answerProse(['# all', 'succeeded\r# not'], [])).toEqual([])
  })

  const levels = 10_000
  const hostile: readonly (readonly [string, string])[] = [
    ['quotes', '>'.repeat(levels) + ' deep'], ['quotes with lazy lines', `${'> '.repeat(levels)}a\nb\n`.repeat(3)],
    ['lists on a line', `${'- '.repeat(levels)}deep`], ['ordered lists on a line', `${'1. '.repeat(levels)}deep`],
    ['lists on lines', Array.from({ length: 240 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')],
    ['quotes and lists in turn', `${'> - '.repeat(levels)}deep`], ['lazy lines behind quotes', `${'>'.repeat(20)} a\nb\n`.repeat(1500)],
    ['lazy lines in turn', Array.from({ length: 3000 }, (_, line) => `${'>'.repeat(line % 14)} a`).join('\n')],
    ['brackets', '['.repeat(levels * 6)], ['pairs of brackets', '[](['.repeat(levels)], ['links that do not end', '[a](b'.repeat(levels)],
    ['stars', '*a '.repeat(levels)], ['stars and lines', '*a _b '.repeat(levels)], ['closed emphasis', `${'*a _b '.repeat(2000)}${'b_ a* '.repeat(2000)}`],
    ['ticks', Array.from({ length: 300 }, (_, count) => '`'.repeat(count)).join(' ')], ['tildes', '~a '.repeat(levels)],
    ['angles', '<'.repeat(levels * 6)], ['tags', '<a '.repeat(levels)], ['comments', '<!--'.repeat(levels)], ['entities', '&#x'.repeat(levels)],
    ['definitions', '[a]: b\n'.repeat(levels - 1000)], ['references', `[a]: b\n\n${'[a]'.repeat(levels)}`], ['images', '![a]('.repeat(levels)],
    ['cells', `${'|a'.repeat(3000)}|\n${'|-'.repeat(3000)}|\n${'|b'.repeat(3000)}|`], ['rows', `|a|b|\n|-|-|\n${'|a|b|\n'.repeat(levels)}`],
    ['fences', '```\n'.repeat(levels)], ['headings', '# a\n'.repeat(levels)], ['blanks', ' '.repeat(levels * 6)], ['tabs', '\t- '.repeat(levels)],
    ['addresses', 'http://a.'.repeat(levels / 2)], ['mail', 'a@'.repeat(levels * 3)], ['backslashes', '\\'.repeat(levels * 6)],
    ['lines', 'a\n'.repeat(levels * 3)], ['underlines', 'a\n===\n'.repeat(levels)], ['rules', '- - -\n'.repeat(levels)],
  ]

  it.each(hostile)('is read in no time, whatever it holds: %s', (_, text) => {
    const startedAt = performance.now()
    const parts = answerProse(text.split('\n'), [])
    expect(performance.now() - startedAt).toBeLessThan(5000)
    // Nothing on the stack, and all words are there.
    expect(proseText(parts.flatMap(({ nodes }) => nodes)).length).toBeGreaterThanOrEqual(0)
    parts.flatMap(({ nodes }) => nodes).forEach(htmlOf)
  })
})
