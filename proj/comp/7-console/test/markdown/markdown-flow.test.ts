import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../../test/support/goldens.js'
import type { Palette } from '../../../1-reports/src/index.js'
import { MarkdownFlow } from '../../src/markdown/index.js'

const SIGNS = { bullet: '•', bar: '│', rule: '─' }
const tag = (name: string) => (text: string): string => `<${name}>${text}</${name}>`
/** Colours as tags, so that people can read the cases. */
const TAGS: Palette = {
  good: tag('good'), bad: tag('bad'), note: tag('note'), accent: tag('a'), strong: tag('b'), faint: tag('f'),
  italic: tag('i'),
}

function shown(text: string, { columns = 60, size = Infinity } = {}): string[] {
  const flow = new MarkdownFlow(TAGS, SIGNS)
  const rows: string[] = []
  for (let at = 0; at < text.length; at += size) {
    flow.open(columns)
    rows.push(...flow.push(text.slice(at, at + size), columns))
  }
  return [...rows, ...flow.end(columns)]
}

describe('Markdown on a terminal', () => {
  for (const { name, fences: [given, rows] } of readGoldens(new URL('../../test-data/markdown/markdown.cases.md', import.meta.url))) {
    it(name, () => {
      const columns = Number(/columns=(\d+)/.exec(given?.info ?? '')?.[1] ?? 60)
      for (const size of [Infinity, 1, 7]) {
        expect(shown(given?.body ?? '', { columns, size }).join('\n')).toBe(rows?.body)
      }
    })
  }

  it.each(['# no heading', '``` no code', '- no item', '> no quote', '---', '| no | table'])(
    'reads on in a line that is shown in parts: %s', (rest) => {
      const text = `${'word '.repeat(400)}${rest}\nThen **bold**.`
      for (const size of [Infinity, 50]) {
        const rows = shown(text, { size })
        expect(rows.join(' ').replaceAll(/\s+/g, ' ')).toContain(`word ${rest} Then <b>bold</b>.`)
      }
    },
  )

  it('shows a long line that comes at once as it shows one that comes in pieces', () => {
    const text = `${'**a *b '.repeat(3000)}\nThe end.`
    expect(shown(text)).toEqual(shown(text, { size: 500 }))
  })
})
