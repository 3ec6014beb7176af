import fc from 'fast-check'
import { expect, it } from 'vitest'
import { renderAnnotations } from '../../src/ci/index.js'
import { CI_ITEM } from './ci-items.js'

interface Command {
  level: string
  properties: Record<string, string>
  message: string
}

/** As the runner reads a line: `::name key=value,…::message`, with `%` escapes in both. */
function readCommand(line: string): Command {
  const [, level = '', list = '', message = ''] = /^::(\w+)(?: (.*?))?::(.*)$/.exec(line) ?? []
  const properties = list.split(',').map((pair) => pair.split(/=(.*)/s))
  return {
    level, message: unescaped(message),
    properties: Object.fromEntries(properties.map(([key = '', value = '']) => [key, unescaped(value, true)])),
  }
}

function unescaped(text: string, isProperty = false): string {
  const more = isProperty ? text.replaceAll('%3A', ':').replaceAll('%2C', ',') : text
  return more.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')
}

it('is one command a line for each failure and note, whatever is in the texts', () => {
  fc.assert(fc.property(fc.array(CI_ITEM, { maxLength: 12 }), (items) => {
    const lines = renderAnnotations(items).split('\n').slice(0, -1)
    const bad = items.filter(({ outcome }) => outcome === 'failed' || outcome === 'error')
    const notes = items.flatMap((item) => item.notes ?? [])
    expect(lines).toHaveLength(bad.length + notes.length)
    for (const [index, line] of lines.entries()) {
      const { level, properties } = readCommand(line)
      expect(level).toBe(index < bad.length ? 'error' : 'warning')
      expect(Object.keys(properties)).toEqual(
        [...('file' in properties ? ['file', 'line'] : []), ...('endLine' in properties ? ['endLine'] : []), 'title'],
      )
    }
  }))
})

it('reads as it was meant', () => {
  const [line = ''] = renderAnnotations([{
    outcome: 'failed', name: 'a: edit', file: 'w,1/a:b.md', line: 3, endLine: 9, durationMs: 1, code: 'ENOENT',
    message: '100% gone::really\nyes', details: 'more',
  }]).split('\n')
  expect(readCommand(line)).toEqual({
    level: 'error', message: 'ENOENT: 100% gone::really\nyes',
    properties: { file: 'w,1/a:b.md', line: '3', endLine: '9', title: 'a: edit failed' },
  })
})

it('stands nowhere where the answer came from standard input, and ends at 50', () => {
  const one = { outcome: 'error', name: 'a', durationMs: 1, message: 'bad' } as const
  expect(renderAnnotations([one])).toBe('::error title=a could not be run::bad\n')
  expect(renderAnnotations(Array.from({ length: 60 }, () => one)).split('\n')).toHaveLength(51)
})
