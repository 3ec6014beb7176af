import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { Hermes } from '../../../5-executor/src/executor/index.js'
import { shamBlock } from '../../../1-registry/src/registry/index.js'
import { contextFor, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'

const VERBS = ['file_write', 'fs.writeFile', 'write_file']

async function write(verb: string, root: string, content: string, path = 'a.ts') {
  const hints: string[] = []
  const context = { ...contextFor(root, 'disk'), advise: (hint: string) => hints.push(hint) }
  return { outcome: await runVerb(verb, { path: join(root, path), content }, context), hints }
}

describe.each(VERBS)('%s over a file', (verb) => {
  it('refuses content that leaves something out', async () => {
    const root = tempDir()
    writeFileSync(join(root, 'a.ts'), 'a\nb\nc\n')
    const { outcome } = await write(verb, root, 'a\n// ... rest of the code\n')
    expect(outcome).toMatchObject({
      code: 'ELIDED_CONTENT', message: `${verb}: line 2 of content stands for text left out: // ... rest of the code`,
    })
    expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe('a\nb\nc\n')
  })

  it('takes the same for a new file, and where the old one has it', async () => {
    const root = tempDir()
    const content = 'a\n// ... rest of the code\n'
    expect((await write(verb, root, content)).outcome).toHaveProperty('data')
    expect((await write(verb, root, `b\n${content}`)).outcome).toHaveProperty('data')
  })

  it('refuses a passage from the middle of a file, which was meant to be shown', async () => {
    const root = tempDir()
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i}\n`)
    writeFileSync(join(root, 'a.ts'), lines.join(''))
    const { outcome } = await write(verb, root, lines.slice(3, 9).join(''))
    expect(outcome).toMatchObject({ code: 'ELIDED_CONTENT' })
    expect(readFileSync(join(root, 'a.ts'), 'utf8')).toBe(lines.join(''))
    expect((await write(verb, root, lines.slice(0, 9).join(''))).outcome).toHaveProperty('data')
  })

  it('hints where much of it goes', async () => {
    const root = tempDir()
    writeFileSync(join(root, 'a.ts'), 'line\n'.repeat(30))
    const { hints, outcome } = await write(verb, root, 'line\n'.repeat(10))
    expect(outcome).toHaveProperty('data')
    expect(hints).toEqual([
      'The file had 30 lines that are not blank and now has 10. If they should not have gone, write them again.',
    ])
    expect((await write(verb, root, 'line\n'.repeat(8))).hints).toEqual([])
  })

  it('refuses a fence around code', async () => {
    const root = tempDir()
    expect((await write(verb, root, '```ts\na\n```\n')).outcome).toMatchObject({ code: 'INVALID_PARAMETER' })
    expect((await write(verb, root, '```ts\na\n```\n', 'a.md')).outcome).toHaveProperty('data')
  })
})

const block = (params: Record<string, string>): string => (
  ['#!SHAM [@three-char-SHA-256: abc]', ...Object.entries(params).map(([key, value]) => `${key} = ${JSON.stringify(value)}`), '#!END_SHAM_abc'].join('\n')
)

describe('a run', () => {
  it('gives the hint with the result', async () => {
    const root = tempDir()
    writeFileSync(join(root, 'a.ts'), 'line\n'.repeat(30))
    const text = block({ action: 'file_write', path: join(root, 'a.ts'), content: 'one' })
    const { results } = await new Hermes({ root, gitCommit: false }).execute(text)
    expect(results[0]).toMatchObject({ success: true, hint: expect.stringContaining('had 30 lines') })
  })

  it.each([
    ['a turn', 'a.ts', 'one\n<|im_end|>\n\n', '<|im_end|>'], ['one on the last line', 'a.ts', 'one<|eot_id|>', '<|eot_id|>'],
    ['a call', 'a.ts', 'one\n<tool_call>\n{"name": "ls"}\n</tool_call>\n', '</tool_call>'],
    ['an opener', 'a.py', 'one\n<tool_call>', '<tool_call>'], ['a wrapper', 'a.ts', `one\n${'<'}function_calls>`, `${'<'}function_calls>`],
    ['its closer', 'a.ts', `one\n${'</'}function_calls>\n`, `${'</'}function_calls>`],
    ['harmony', 'a.ts', 'one<|call|>', '<|call|>'], ['a turn, in prose', 'a.md', 'one\n<|im_end|>\n', '<|im_end|>'],
    ['a parameter', 'a.ts', `one\n${'</'}parameter>\n`, `${'</'}parameter>`],
    ['a value', 'a.ts', 'one\n</arg_value>', '</arg_value>'],
    ['all ends of a call, in prose', 'a.md', `one\n${'</'}parameter>\n${'</'}function>\n</tool_call>`, '</tool_call>'],
    ['marks of one line, in prose', 'a.md', 'one<｜tool▁call▁end｜><｜tool▁calls▁end｜>', '<｜tool▁calls▁end｜>'],
    ['a call and a turn, in prose', 'a.md', 'one\n</tool_call>\n<|im_end|>', '<|im_end|>'],
    ['a tag of its own', 'a.xml', `<a>\n${'<'}parameter name="x">\n1\n${'</'}parameter>\n`, undefined],
    ['nothing', 'a.ts', 'const end = "<|im_end|>"\n', undefined], ['what it only shows', 'a.ts', '<tool_call>\none\n', undefined],
    ['markup', 'a.xml', '<a>\n</content>\n', undefined],
    ['what prose is about', 'a.md', 'Ends of turns:\n\n<|eot_id|>\n<|im_end|>\n', undefined],
  ])('warns of a file that ends in %s', async (_, path, content, token) => {
    const root = tempDir()
    const { results } = await new Hermes({ root, relativePaths: true, gitCommit: false })
      .execute(shamBlock('wri', 'file_write', { path, content }))
    expect(readFileSync(join(root, path), 'utf8')).toBe(content)
    const [{ success, warned, hint } = {}] = results
    expect([success, warned]).toEqual([true, token === undefined ? undefined : true])
    if (token !== undefined) expect(hint).toContain(`ends in \`${token}\`,`)
  })

  it('warns of it in every verb that writes, and not where the file ended so before', async () => {
    const root = tempDir()
    const hermes = new Hermes({ root, relativePaths: true, gitCommit: false })
    const end = 'two\n<|im_end|>\n'
    const one = (action: string, params: Record<string, unknown>) => hermes.execute(shamBlock('wri', action, params))
    const calls: [string, Record<string, unknown>][] = [
      ['fs.writeFile', { path: 'deep/a', content: end }], ['write_file', { path: 'b', content: end }],
      ['file_append', { path: 'c', content: end }], ['file_replace_text', { path: 'e', old_text: 'one\n', new_text: end }],
      ['edit_replace', { path: 'f', old_text: 'one\n', new_text: end }],
      ['apply_patch', { patch: `*** Begin Patch\n*** Add File: d\n+two\n+<|im_end|>\n*** End Patch` }],
    ]
    for (const name of ['c', 'e', 'f']) writeFileSync(join(root, name), 'one\n')
    for (const [action, params] of calls) {
      const { results: [result] } = await one(action, params)
      expect([action, result?.error, result?.warned]).toEqual([action, undefined, true])
      expect(result?.hint?.match(/now ends in/g)).toHaveLength(1)
    }
    const { results: [again] } = await one('file_replace_text', { path: 'c', old_text: 'one', new_text: 'three' })
    expect(again).toMatchObject({ success: true })
    expect(again).not.toHaveProperty('warned')
  })

  it('still sees that someone else changed the file', async () => {
    const root = tempDir()
    const path = join(root, 'a.ts')
    writeFileSync(path, 'line\n'.repeat(30))
    const hermes = new Hermes({ root, gitCommit: false })
    await hermes.execute(block({ action: 'file_read', path }))
    writeFileSync(path, 'other\n'.repeat(30))
    const { results } = await hermes.execute(block({ action: 'file_write', path, content: 'one' }))
    expect(results[0]).toMatchObject({ success: false, code: 'CHANGED_ON_DISK' })
  })

  it.each([
    ['file_write', { path: 'a.ts', content: 'one' }], ['file_delete', { path: 'a.ts' }], ['fs.deleteFile', { path: 'a.ts' }],
    ['delete_file', { path: 'a.ts', confirm: true }], ['move_file', { source: 'b.ts', destination: 'a.ts', overwrite: true }],
  ])('names that file as it was written: %s', async (action, params) => {
    const root = tempDir()
    for (const name of ['a.ts', 'b.ts']) writeFileSync(join(root, name), 'one\n')
    const hermes = new Hermes({ root, relativePaths: true, gitCommit: false })
    await hermes.execute(shamBlock('rea', 'file_read', { path: 'a.ts' }))
    writeFileSync(join(root, 'a.ts'), 'other\n')
    const { results } = await hermes.execute(shamBlock('wri', action, params))
    expect(results[0]).toMatchObject({ code: 'CHANGED_ON_DISK', error: expect.stringMatching(/^a\.ts was changed/) })
    expect(results[0]?.hint).toContain('+other')
  })

  it.each([
    [undefined, 'TEXT_NOT_FOUND', undefined, 'f {\n    a()\n}\n'],
    ['exact' as const, 'TEXT_NOT_FOUND', undefined, 'f {\n    a()\n}\n'],
    ['tolerant' as const, undefined, 'indentation', 'f {\n    b()\n}\n'],
  ])('with match: %s replaces text', async (match, code, tier, after) => {
    const root = tempDir()
    const path = join(root, 'a.ts')
    writeFileSync(path, 'f {\n    a()\n}\n')
    const options = { root, gitCommit: false, ...(match && { match }) }
    const { results } = await new Hermes(options).execute(block({ action: 'file_replace_text', path, old_text: '\ta()'.replace('\t', '      '), new_text: '      b()' }))
    expect([results[0]?.code, (results[0]?.data as { match?: string } | undefined)?.match]).toEqual([code, tier])
    expect(readFileSync(path, 'utf8')).toBe(after)
  })
})
