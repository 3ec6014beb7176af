import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parse, parseChunks } from '../../src/parsers/index.js'

const LINES = [
  '', '', '', 'A line of prose that is longer than what is read sooner than searched, to be passed over.', 'prose', '-',
  '- item', '- an item that is as long, so that native search finds a list, and where its last item begins', '* item',
  '1. item', '1. ```sh', '2. two', '10. ten', '   - nested', '  goes on', '---', '===', '- - -', '> quoted', '    code',
  '# heading', '```', '```sh', '```ts', '```ts', '````', '~~~', '~~~python', '``` a`b', '```diff', '```yaml,hermes',
  '<think>', '</think>', '<tool_response>', '</tool_response>', '<!-- comment', '-->', '> #!SHAM [@x: quo]', '# ！END_SHAM_abc', 'a `span` < b', '+++ b/file.ts',
  '<tool_call>{"name": "ls"}</tool_call>', '    #!SHAM [@x: in1]', '    #!END_SHAM_in1', '  #!SHAM [@x: ab2]',
  'action = "ls"', '  #!END_SHAM_ab2', '#!SHAM [@x: abc]', '#!END_SHAM_abc',
]

it('reads whole texts, in which lines are passed over, as texts that come line by line', () => {
  const lines = fc.array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 40 })
  fc.assert(fc.property(lines, fc.boolean(), (all, isEnded) => {
    const text = all.join('\n') + (isEnded ? '\n' : '')
    expect(parse(text), text).toEqual(parseChunks(text.match(/[^\n]*\n|[^\n]+/g) ?? []))
  }), { numRuns: Number(process.env['RUNS'] ?? 2000) })
})

it('numbers lines as they stand, however many are passed over', () => {
  const lines = fc.array(fc.constantFrom(...LINES.slice(0, 12)), { minLength: 1, maxLength: 200 })
  fc.assert(fc.property(lines, (all) => {
    const text = [...all, '', 'Prose in the first column ends all lists.', '', '<tool_call>{"name": "ls"}</tool_call>']
    expect(parse(text.join('\n')).blocks.map(({ startLine }) => startLine)).toEqual([text.length])
  }))
})
