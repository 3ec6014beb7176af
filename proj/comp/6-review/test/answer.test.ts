import fc from 'fast-check'
import { expect, it } from 'vitest'
import { editBlock, readAnswer, sourceOf } from '../src/answer.js'
import { proseOf } from '../src/prose.js'

const sham = (id: string, content: string): string => `#!SHAM [@three-char-SHA-256: ${id}]
action = "file_write"
path = "/a/${id}"
content = <<'EOT_SHAM_${id}'
${content}
EOT_SHAM_${id}
#!END_SHAM_${id}`
const call = (path: string): string => `<tool_call>{"name": "read_file", "arguments": {"path": "${path}"}}</tool_call>`
const TEXT = `Words\n${sham('aaa', 'one')}\nmore\n${call('x')}\n${sham('bbb', 'two')}\r\n\n> ${call('quoted')}\n${call('y')}`

it('puts another text in the place of one block, and leaves all others as they are', () => {
  const answer = readAnswer(TEXT, {})
  const edited = editBlock(answer, 1, `${call('z')}\n`, {})
  expect(edited.text).toBe(TEXT.replace(call('x'), `${call('z')}\n`))
  expect(edited.blocks.map(({ blockId }) => blockId)).toEqual(['aaa', 'b1', 'bbb', 'b2'])
})

it('edits a response in its parts', () => {
  const parts = [
    { type: 'text', text: `Words\n${sham('aaa', 'one')}` }, { type: 'served', name: 'web_search_call', source: {} },
    { type: 'call', id: 'q', name: 'read_file', arguments: { path: 'x' } }, { type: 'text', text: `more\n${call('y')}\n` },
  ] as const
  const answer = readAnswer({ input: 'anthropic', parts }, {})
  const ids = ['aaa', 'q', 'b1']
  expect(answer.blocks.map(({ blockId }) => blockId)).toEqual(ids)
  const edited = [sham('aaa', 'two\nlines'), call('z'), call('zz')].reduce((now, text, at) => editBlock(now, at, text, {}), answer)
  expect(edited.blocks.map(({ blockId }) => blockId)).toEqual(ids)
  expect(edited.blocks.map(({ block }) => block?.params['content'] ?? block?.params['path'])).toEqual(['two\nlines', 'z', 'zz'])
  expect(() => editBlock(answer, 1, 'words', {})).toThrow('It is no call')
  expect(() => editBlock(answer, 0, '```', {})).toThrow(/It holds|The edit changes/)
})

it.each([
  ['nothing', ''],
  ['words', 'words'],
  ['two blocks', `${call('z')}\n${call('zz')}`],
  ['a heredoc that is never closed', sham('ccc', 'x').replace(/\nEOT_SHAM_ccc\n.*/s, '')],
  ['the beginning of a comment', `${call('z')}\n<!--`],
  ['the beginning of a think section', '<think>'],
  ['an end that makes all before it thinking', `</think>\n${call('z')}`],
  ['the beginning of a fence', '```'],
  ['an id of its own, which counts the next one anew', sham('ddd', 'x')],
])('takes no edit to %s', (_, text) => {
  const answer = readAnswer(TEXT, {})
  expect(() => editBlock(answer, 1, text, {})).toThrow(/It holds|The edit changes|The block reaches/)
})

it('takes no edit of a block that shares its line', () => {
  const text = '```json hermes\n[{"verb": "fs.exists", "arguments": {"path": "a"}}, {"verb": "fs.exists", "arguments": {"path": "b"}}]\n```\n'
  const answer = readAnswer(text, {})
  expect(answer.blocks.map(({ isAlone }) => isAlone)).toEqual([false, false])
  expect(() => editBlock(answer, 0, 'x', {})).toThrow('shares a line')
})

it('either refuses a text, or reads every other block as before', () => {
  const pieces = fc.array(fc.constantFrom(
    '#!SHAM [@three-char-SHA-256: aaa]', "content = <<'EOT_SHAM_aaa'", 'EOT_SHAM_aaa', '#!END_SHAM_aaa', '#!END_SHAM_bbb', '```', '```yaml hermes',
    '<think>', '</think>', '<!--', '-->', '> ', call('q'), '<tool_call>', '</tool_call>', '{"a"', 'action = "file_write"', 'words', '',
  ), { maxLength: 8 })
  const answer = readAnswer(TEXT, {})
  fc.assert(fc.property(fc.nat(answer.blocks.length - 1), pieces, (at, lines) => {
    try {
      const edited = editBlock(answer, at, lines.join('\n'), {})
      const others = ({ blocks }: typeof answer) => blocks.filter((_, index) => index !== at).map((each) => [each.blockId, each.block?.params])
      expect(others(edited)).toEqual(others(answer))
      expect(edited.skipped.length).toBe(answer.skipped.length)
    } catch (error) {
      expect(String(error)).toMatch(/It holds|The edit changes|The block reaches/)
    }
  }))
})

it('gives back what it was given, with the text of a block put in its own place', () => {
  const answer = readAnswer(TEXT, {})
  for (const [at, block] of answer.blocks.entries()) expect(editBlock(answer, at, sourceOf(answer, block), {}).text).toBe(TEXT)
})

it('has what the answer says around its blocks, with the lines, and passages without a word are none', () => {
  const text = `${TEXT}\n---\n\n${call('last')}\nThe end.\n`
  const prose = proseOf(readAnswer(text, {}))
  expect(prose.map(({ text: said }) => said)).toEqual(['Words', 'more', `\r\n> ${call('quoted')}`.trim(), 'The end.'])
  for (const { startLine, endLine, text: said } of prose) {
    expect(text.split('\n').slice(startLine - 1, endLine).join('\n').trim()).toBe(said)
  }
})

it('has it as it reads, without what marks where blocks stand', () => {
  const text = `# Plan\r\n\r\n\`\`\`sham\r\n${sham('aaa', 'one')}\n\`\`\`\n\nIt *ends*.\n${'long '.repeat(20_000)}\n`
  const answer = readAnswer(text.replace(/\nlong[^]*$/, '\n'), {})
  expect(proseOf(answer).map(({ nodes }) => nodes)).toEqual([
    [{ tag: 'h3', nodes: ['Plan'] }], [{ tag: 'p', nodes: ['It ', { tag: 'em', nodes: ['ends'] }, '.'] }],
  ])
  expect(proseOf(readAnswer(text, {})).map(({ nodes }) => nodes.length)).toEqual([1, 0])
})

it('takes marks of fences between two blocks for no words', () => {
  const text = `\`\`\`sh sham\n${sham('aaa', 'one')}\n\`\`\`\n\n~~~sh sham\n${sham('bbb', 'two')}\n~~~\n`
  expect(proseOf(readAnswer(text, {}))).toEqual([])
})
