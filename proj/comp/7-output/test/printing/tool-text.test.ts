import { describe, expect, it } from 'vitest'
import { foldLines } from '../../../0-text/src/index.js'
import { VerbRegistry } from '../../../1-registry/src/registry/index.js'
import { VERBS } from '../../../5-executor/src/verbs/index.js'
import { renderTool, renderToolList } from '../../src/printing/tool-text.js'
import { createPalette } from '../../../1-reports/src/index.js'

const verbs = await new VerbRegistry(VERBS).loadAll()
const palette = createPalette(false)

function longest(text: string): number {
  return Math.max(...text.split('\n').map(line => line.length))
}

describe.each([[60, 60], [75, 75], [100, 100], [120, 120], [400, 120]])('at a terminal of %i columns', (columns, most) => {
  it('the list fits, and its descriptions stand in one column', () => {
    const text = renderToolList(verbs, { palette, columns }, '')
    expect(longest(text)).toBeLessThanOrEqual(most)
    const lines = text.split('\n').slice(0, -3).filter(line => line.startsWith(' '))
    const column = lines[0]!.indexOf('Write a file')
    expect(lines.every(line => /^ {2}\S+ +$|^ +$/.test(line.slice(0, column)) && line[column] !== ' ')).toBe(true)
  })

  it('the words of a verb fit, but for its example', () => {
    for (const verb of verbs) {
      const text = renderTool(verb, { palette, columns }).split('\nExample:\n')[0] ?? ''
      const broken = text.split('\n').slice(1).filter(line => line.length > most && !/^ {2}\S+ {2,}\S/.test(line))
      expect(broken, verb.name).toEqual([])
    }
  })
})

it.each([20, 40])('at a terminal of %i columns descriptions stand below the names', (columns) => {
  const lines = foldLines(renderToolList(verbs, { palette, columns }, ''), 40).split('\n')
  expect(lines.slice(0, 3)).toEqual([expect.stringContaining(' · '), '  file_write', '      Write a file.'])
  expect(lines.filter((line) => line.length > 40)).toEqual([])
})

it('where there is no terminal the list has a line for each verb', () => {
  const lines = renderToolList(verbs, { palette, columns: undefined }, '').split('\n')
  expect(lines.filter(line => line.startsWith('  '))).toHaveLength(verbs.length)
})
