import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cut, markerSoup } from '../../../../test/support/marker-soup.js'
import { SpokenText } from '../../src/index.js'

function told(pieces: readonly string[]) {
  const tale = { text: '', thought: '' }
  const spoken = new SpokenText((type, piece) => {
    tale[type] += piece
  })
  for (const piece of pieces) spoken.push(piece)
  spoken.end()
  return { ...tale, said: spoken.said }
}

it.each([
  ['<think>\nHm.\n</think>\n\nDone.\n', 'Done.\n'], ['<think>Hm.</think>Done.', 'Done.'],
  ['[THINK]Hm.[/THINK]\nDone.', 'Done.'], ['One.\n<think>\nHm.\n</think>\nTwo.', 'One.\n\nTwo.'],
  [`<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Done.<|return|>`, 'Done.'],
  ['<think>\nHm.', ''], ['Hm.\n</think>\n\nDone.', 'Done.'],
  ['- </think> Done.\n', ' Done.\n'], ['- Hm.\n- </think> \nDone.\n', 'Done.\n'],
  ['It says <think> here.\n\n```xml\n<think>\n</think>\n```\n', 'It says <think> here.\n\n```xml\n<think>\n</think>\n```\n'],
  [
    '#!SHAM [@three-char-SHA-256: abc]\naction = "file_write"\ncontent = <<\'EOT_SHAM_abc\'\n<think>\n</think>\nEOT_SHAM_abc\n#!END_SHAM_abc\n',
    '#!SHAM [@three-char-SHA-256: abc]\naction = "file_write"\ncontent = <<\'EOT_SHAM_abc\'\n<think>\n</think>\nEOT_SHAM_abc\n#!END_SHAM_abc\n',
  ],
])('says without its thoughts: %j', (text, said) => {
  expect(told([text]).said).toBe(said)
  expect(told([...text]).said).toBe(said)
  for (let at = 1; at < text.length; at++) expect(told([text.slice(0, at), text.slice(at)]).said).toBe(said)
})

it('tells pieces at once where a line can open nothing, and no thought as text', () => {
  const pieces: string[] = []
  const spoken = new SpokenText((type, piece) => pieces.push(`${type} ${piece}`))
  for (const piece of ['<thi', 'nk>', 'a\n', '</think>', 'One', '\nTw', 'o']) spoken.push(piece)
  expect(pieces).toEqual(['thought a\n', 'text One\n', 'text Tw', 'text o'])
})

it('does not depend on how the text is cut', () => {
  fc.assert(fc.property(markerSoup, fc.array(fc.nat(), { maxLength: 8 }), (text, places) => {
    expect(told(cut(text, places)).said).toBe(told([text]).said)
  }), { numRuns: 500 })
})
