import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../../test/support/goldens.js'
import { createPalette, type Palette } from '../../../1-reports/src/index.js'
import { markdownRows, MarkdownFlow } from '../../src/markdown/index.js'

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

  it('breaks no line of code in a text that is shown as a whole', () => {
    const line = `hermes apply answer.md ${'--allow /some/where '.repeat(5)}`.trimEnd()
    const rows = markdownRows(`\`\`\`sh\n${line}\n\`\`\`\n${line}`, { palette: createPalette(false), signs: SIGNS, columns: 40 })
    expect(rows.filter((row) => row.trim() === line)).toHaveLength(1)
    expect(rows.length).toBeGreaterThan(4)
  })

  it('shows code without its fences in a text that is shown as a whole', () => {
    const text = 'Run:\n\n```sh\nhermes help  # `as is`\n\n  ~~~\n~~~~\n```\n\n1. one\n   ````text\n   ```\n   ````\n~~~ not closed\nend'
    const rows = markdownRows(text, { palette: TAGS, signs: SIGNS, columns: 40 })
    expect(rows).toEqual(['  Run:', '', '    hermes help  # `as is`', '', '      ~~~', '    ~~~~', '', '  <a>1.</a> one', '       ```', '    end'])
  })

  it('shows a long line that comes at once as it shows one that comes in pieces', () => {
    const text = `${'**a *b '.repeat(3000)}\nThe end.`
    expect(shown(text)).toEqual(shown(text, { size: 500 }))
  })
})
