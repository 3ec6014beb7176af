import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { contextFor, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'

/** A file as an editor thinks of it. */
interface Model {
  bom: string
  ending: string
  lines: string[]
  /** The last line has a line break. */
  final: boolean
}

const line = fc.constantFrom('', 'a', 'b: c', '\té', '\r', '$&', '👋')
const someLines = fc.array(line, { maxLength: 5 })
const models = fc.record({
  bom: fc.constantFrom('', '\ufeff'), ending: fc.constantFrom('\n', '\r\n'), lines: someLines, final: fc.boolean(),
}).filter(({ lines, final, ending }) => final || (lines.at(-1) !== '' && !(ending === '\n' && lines.at(-1) === '\r')))

function textOf({ bom, ending, lines, final }: Model): string {
  return bom + lines.join(ending) + (final && lines.length > 0 ? ending : '')
}

/** What a file becomes when lines are replaced; `count` 0 inserts. */
function replaced(model: Model, start: number, count: number, content: Model): Model {
  const reachesEnd = start - 1 + count === model.lines.length
  const kept = content.lines.length === 0 || content.final
  const final = !reachesEnd ? model.final : kept || model.final || model.lines.length === 0
  return { ...model, lines: model.lines.toSpliced(start - 1, count, ...content.lines), final }
}

describe('fs.writeRange and fs.readRange', () => {
  it('do what a list of lines does', async () => {
    const file = join(tempDir(), 'a.txt')
    const context = contextFor(join(file, '..'), 'disk')
    await fc.assert(fc.asyncProperty(models, models, fc.nat(5), fc.option(fc.nat(5)), async (model, more, at, size) => {
      const content: Model = { ...more, bom: '', ending: model.ending }
      // A line of one CR is part of a CRLF where it meets LF.
      fc.pre(model.ending === '\r\n' || ![...model.lines, ...content.lines].includes('\r'))
      const start = at + 1
      const end = size === null ? undefined : start + size
      const isInside = end === undefined ? start <= model.lines.length + 1 : end <= model.lines.length
      const written = textOf(content)
      fc.pre(end !== undefined || written !== '')
      fc.pre(content.final || content.lines.at(-1) !== '')
      // Where there is no line break yet, nothing tells which one is meant.
      fc.pre(model.ending === '\n' || (textOf(model) + written).includes('\n'))
      writeFileSync(file, textOf(model))
      const args = { path: 'a.txt', startLine: start, ...(end !== undefined && { endLine: end }), content: written }
      const outcome = await runVerb('fs.writeRange', args, context)
      const found = readFileSync(file, 'utf8')
      if (!isInside) {
        expect(outcome).toMatchObject({ code: 'RANGE_INVALID', hint: expect.stringContaining('The file has') })
        expect(found).toBe(textOf(model))
        return
      }
      expect(outcome).toEqual({ data: {} })
      const expected = replaced(model, start, end === undefined ? 0 : end - start + 1, content)
      expect(found).toBe(textOf(expected))
      const { length } = expected.lines
      expect(await runVerb('fs.lineCount', { path: 'a.txt' }, context)).toEqual({ data: { lineCount: length } })
      if (length === 0) return
      const range = { path: 'a.txt', startLine: 1, endLine: length }
      expect(await runVerb('fs.readRange', range, context))
        .toEqual({ data: { content: expected.lines.map((each, index) => `${index + 1}: ${each}`).join('\n') } })
      expect(await runVerb('fs.readRange', { ...range, includeLineNumbers: false }, context))
        .toEqual({ data: { content: found.slice(model.bom.length) } })
    }), { numRuns: 400 })
  })

  it('any lines, read as they are and written back, leave any file as it was', async () => {
    const file = join(tempDir(), 'a.txt')
    const context = contextFor(join(file, '..'), 'disk')
    const unit = fc.constantFrom('a', '\n', '\r\n', '\r', '\ufeff', 'é')
    await fc.assert(fc.asyncProperty(fc.string({ unit, maxLength: 20 }), fc.nat(), fc.nat(), async (text, one, two) => {
      writeFileSync(file, text)
      const { data } = await runVerb('fs.lineCount', { path: 'a.txt' }, context) as { data: { lineCount: number } }
      fc.pre(data.lineCount > 0)
      const [startLine = 1, endLine = 1] = [one, two].map((n) => (n % data.lineCount) + 1).sort((a, b) => a - b)
      const range = { path: 'a.txt', startLine, endLine }
      const read = await runVerb('fs.readRange', { ...range, includeLineNumbers: false }, context)
      const { content } = (read as { data: { content: string } }).data
      expect(await runVerb('fs.writeRange', { ...range, content }, context)).toEqual({ data: {} })
      expect(readFileSync(file, 'utf8')).toBe(text)
    }), { numRuns: 150 })
  })
})
