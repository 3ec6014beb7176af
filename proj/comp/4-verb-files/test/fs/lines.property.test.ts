import fc from 'fast-check'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { lineEnding, splitLines } from '../../../1-edits/src/engine/index.js'
import { contextFor, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'

const unit = fc.constantFrom('a', 'b', '\n', '\r\n', '\r', ': ', '$&', '\u00e9', '\ufeff')
const text = fc.string({ unit, maxLength: 30 })

describe('splitLines', () => {
  it('loses nothing', () => {
    fc.assert(fc.property(text, (content) => {
      const { bom, lines } = splitLines(content)
      expect(bom + lines.join('')).toBe(content)
      expect(lines.slice(0, -1).every((line) => lineEnding(line) !== '')).toBe(true)
    }))
  })

  it.each([['', 0], ['a', 1], ['a\n', 1], ['\n', 1], ['a\r\nb', 2], ['a\rb', 1], ['\ufeff', 0]])(
    '%j has %i lines', (content, count) => {
      expect(splitLines(content).lines).toHaveLength(count)
    },
  )
})

describe('line verbs', () => {
  it('read a line and write it back: the file is as it was', async () => {
    const root = tempDir()
    const file = join(root, 'a.txt')
    const context = contextFor(root, 'disk')
    await fc.assert(fc.asyncProperty(text, fc.nat(), async (content, pick) => {
      const { lines } = splitLines(content)
      fc.pre(lines.length > 0)
      writeFileSync(file, content)
      const number = String((pick % lines.length) + 1)
      const line = lines[Number(number) - 1]!
      const read = await runVerb('file_read_numbered', { path: 'a.txt', lines: number }, context)
      const shown = line.slice(0, line.length - lineEnding(line).length)
      expect(read).toEqual({ data: { path: 'a.txt', content: `${number}: ${shown}` } })
      // Without a break it is the empty content, which deletes.
      const args = { path: 'a.txt', lines: number, new_content: shown === '' ? line : shown }
      expect(await runVerb('file_replace_lines', args, context)).toEqual({ data: { path: 'a.txt', lines_replaced: 1 } })
      expect(readFileSync(file, 'utf8')).toBe(content)
    }), { numRuns: 60 })
  })

  it('all numbered lines, numbers taken off, are the file again', async () => {
    const root = tempDir()
    const context = contextFor(root, 'disk')
    const someLines = fc.array(fc.constantFrom('', 'a', '1: b', '\tc'), { minLength: 1 })
    await fc.assert(fc.asyncProperty(someLines, async (lines) => {
      const content = `${lines.join('\n')}\n`
      writeFileSync(join(root, 'a.txt'), content)
      const { data } = await runVerb('file_read_numbered', { path: 'a.txt' }, context) as { data: { content: string } }
      expect(`${data.content.replace(/^ *\d+: /gm, '')}\n`).toBe(content)
    }), { numRuns: 60 })
  })
})
