import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../../test/support/goldens.js'
import type { ModelResponse, ResponsePart } from '../../../0-contracts/src/index.js'
import { readResponse } from '../../src/index.js'

const cases = ['whole', 'streams', 'refused'].flatMap((name) => readGoldens(new URL(`../../test-data/response/${name}.cases.md`, import.meta.url)))

function lineOf(part: ResponsePart): string {
  const shown = (text: string) => text.replaceAll('\n', '↵')
  if (part.type === 'text' || part.type === 'thought') return `${part.type}: ${shown(part.text)}`
  const name = `${part.name}${part.id === undefined ? '' : ` ${part.id}`}`
  if (part.type === 'served') return `served ${name}`
  return part.type === 'call' ? `call ${name}: ${JSON.stringify(part.arguments)}` : `${part.code} ${name}: ${shown(part.problem)}`
}

function render(response: ModelResponse | undefined): string[] {
  return response ? [response.input, ...response.parts.map(lineOf)] : ['no response']
}

describe('readResponse', () => {
  it.each(cases)('$group: $name', ({ fences: [input, expected] }) => {
    const text = input?.body ?? ''
    expect(render(readResponse(text))).toEqual(expected?.body.split('\n'))
    // How a file is saved changes nothing.
    expect(render(readResponse(`\ufeff\n${text.replaceAll('\n', '\r\n')}\r\n\r\n`))).toEqual(expected?.body.split('\n'))
  })

  it.each(cases.filter(({ group }) => group.endsWith('stream')))('$group: $name: of a stream that was cut anywhere nothing runs that did not come whole', ({ fences: [input] }) => {
    const text = input?.body ?? ''
    const calls = readResponse(text)?.parts.filter(({ type }) => type === 'call').map(lineOf) ?? []
    expect(calls.length).toBeGreaterThan(0)
    for (let end = 0; end < text.trimEnd().length; end++) {
      const parts = readResponse(text.slice(0, end))?.parts ?? []
      const found = parts.filter(({ type }) => type === 'call').map(lineOf)
      expect(found).toEqual(calls.slice(0, found.length))
      if (found.length < calls.length && parts.length > 0) expect(parts.some(({ type }) => type === 'unread')).toBe(true)
    }
  })
})
