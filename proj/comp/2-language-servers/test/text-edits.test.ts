import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pathOfUri, uriOf } from '../../2-files/src/index.js'
import { type PositionEncoding, PositionedText } from '../src/protocol-positions.js'
import { offsetEdits, withEdits } from '../src/text-edits.js'

interface Cases<Input, Expected> {
  cases: { name: string; input: Input; expected: Expected }[]
}

function read<Input, Expected>(name: string): Cases<Input, Expected>['cases'] {
  const file = new URL(`../test-data/${name}.cases.json`, import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as Cases<Input, Expected>).cases
}

interface EditInput {
  text: string
  encoding: PositionEncoding
  edits: [number, number, number, number, string][]
}

describe('edits of a server', () => {
  it.each(read<EditInput, string>('text-edits'))('$name', ({ input: { text, encoding, edits }, expected }) => {
    const found = offsetEdits(new PositionedText(text, encoding), edits.map(([line, character, toLine, to, newText]) => ({
      range: { start: { line, character }, end: { line: toLine, character: to } }, newText,
    })))
    expect(typeof found === 'string' ? found : withEdits(text, found)).toBe(expected)
  })
})

describe('URIs of a server', () => {
  it.each(read<string, string | null>('file-uris'))('$name', ({ input, expected }) => {
    expect(pathOfUri(input) ?? null).toBe(expected)
  })

  it('lead back to the path that they are made of', () => {
    for (const path of ['/project/a b/é#?%.py', '/project/😀.py', '/w;x=1/[a].py']) expect(pathOfUri(uriOf(path))).toBe(path)
  })
})
