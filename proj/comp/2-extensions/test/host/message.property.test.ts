import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCampaign } from '../../../../test/support/campaign.js'
import { readGoldens } from '../../../../test/support/goldens.js'
import type { Patch } from '../../src/kit/index.js'
import { parse, writeCall, writeSearchReplace, writingOf } from '../../../1-reading/src/parsers/index.js'
import { shamBlock } from '../../../1-registry/src/registry/index.js'
import type { RpcError } from '../../../2-wire/src/json-rpc/index.js'
import { Message } from '../../src/host/index.js'

describe('patches', () => {
  it.each(readGoldens(new URL('../../test-data/host/patches.cases.md', import.meta.url)))('$name', async ({ fences }) => {
    const body = (kind: string): string | undefined => fences.find(({ info }) => info.split(' ')[1] === kind)?.body
    // A text with line breaks of its own is given as JSON.
    const textOf = (kind: string): string | undefined => {
      const isJson = fences.some(({ info }) => info === `json ${kind}`)
      return isJson ? JSON.parse(body(kind) ?? '') as string : body(kind)
    }
    const text = textOf('message') ?? ''
    const message = new Message({ text, editFormats: ['search-replace'] })
    const { revision: _, ...result } = await message.patch({ patches: JSON.parse(body('patches') ?? '[]') as Patch[] })
    expect({ result, text: message.text }).toEqual({ result: JSON.parse(body('result') ?? '{}'), text: textOf('after') ?? text })
  })
})

/** What ends something in one of the forms, or is no plain character. */
const SIGNS = [
  ...'abz"\\\'<>#!: {}[]-`,é🙂', '\n', '\r', '\r\n', '\t', '\0', '\u001b', '\u007f', '\u0085', '\u2028', '\ufeff', '</tool_call>', '<tool_call>',
  '</parameter>', '</invoke>', 'EOT_SHAM_abc', '\nEOT_SHAM_abc\n', '#!END_SHAM_abc', '\n```\n', '\n---\n', '---', '- ', ': ', ' #', '%name', '%args',
  '<think>', '</think>', '\n>>>>>>> REPLACE\n', '\n*** End Patch\n', 'true', 'null', '1', '~', '&a', '*a', '|', '>',
]
const words = fc.string({ unit: fc.constantFrom(...SIGNS), maxLength: 8 })
const name = fc.constantFrom('path', 'content', 'old_text', 'x1')
const params = fc.dictionary(name, words, { minKeys: 1 })
const forms: Record<string, (given: Record<string, string>) => string> = {
  SHAM: given => shamBlock('abc', 'file_write', given),
  NESL: given => shamBlock('abc', 'file_write', given).replaceAll('SHAM_abc', 'NESL_abc').replace('#!SHAM', '#!NESL'),
  nesl: given => shamBlock('abc', 'file_write', given).replaceAll('EOT_SHAM_abc', 'EOT_abc')
    .replace(/#!END_SHAM_abc$/, '#!end_abc').replace('#!SHAM', '#!nesl'),
  'a SHAM block in a list': given => `- item\n\n${shamBlock('abc', 'file_write', given).replaceAll(/^/gm, '  ')}`,
  'a tool call': given => `<tool_call>${JSON.stringify({ name: 'write_file', arguments: given })}</tool_call>`,
  'a tool call on lines': given => `<tool_call>\n${JSON.stringify({ name: 'write_file', arguments: given }, null, 1)}\n</tool_call>`,
  'tool calls on one line': given => `<tool_call>{"name":"x1"}</tool_call><tool_call>${
    JSON.stringify({ name: 'write_file', arguments: JSON.stringify(given) })}</tool_call>`,
  'JSON': given => `\`\`\`json hermes\n${JSON.stringify({ verb: 'fs.writeFile', arguments: given })}\n\`\`\``,
  'JSON on lines': given => `\`\`\`json hermes\n${JSON.stringify({ verb: 'fs.writeFile', arguments: given }, null, 2)}\n\`\`\``,
  'YAML': given => `\`\`\`yaml hermes\nverb: fs.writeFile # keep\narguments: ${JSON.stringify(given)}\n\`\`\``,
  'YAML on lines': given => `\`\`\`hermes\n# keep\nverb: fs.writeFile\narguments:\n${
    Object.entries(given).map(([key, value]) => `  ${key}: ${JSON.stringify(value)} # keep\n`).join('')}\`\`\``,
  'YAML with texts on lines': given => `\`\`\`yaml hermes\nverb: fs.writeFile\narguments:\n${
    Object.keys(given).map((key) => `  ${key}: |\n    one\n\n    two\n`).join('')}\`\`\``,
  'YAML in a list': given => `- item\n\n  \`\`\`yaml hermes\n  verb: fs.writeFile\n  arguments: ${JSON.stringify(given)}\n  \`\`\``,
  'envelopes in one fence': given => `\`\`\`yaml hermes\nverb: fs.exists\narguments: {path: a}\n---\nverb: fs.writeFile\narguments: ${
    JSON.stringify(given)}\n---\nverb: fs.exists\n\`\`\``,
  'a list of envelopes in YAML': given => `\`\`\`hermes\n- verb: fs.writeFile # why\n  arguments: ${
    JSON.stringify(given)}\n- verb: fs.exists\n  arguments: {}\n\`\`\``,
}
/** Forms in which not everything can be said, or that not every change leaves as they are. */
const partly: Record<string, (given: Record<string, string>) => string> = {
  'a list of envelopes': given => `\`\`\`json hermes\n[${JSON.stringify({ verb: 'fs.writeFile', arguments: given })},\n {"verb": "fs.exists"}]\n\`\`\``,
  anthropic: given => writeCall(writingOf('anthropic'), 'write_file', given, 0),
  'qwen3-coder': given => writeCall(writingOf('qwen3-coder'), 'write_file', given, 0),
  harmony: given => writeCall(writingOf('harmony'), 'write_file', given, 0),
  kimi: given => writeCall(writingOf('kimi'), 'write_file', given, 0),
  'search-replace': given => writeSearchReplace('a.txt', given['old_text'] ?? 'a', given['content'] ?? 'b'),
  v4a: () => '*** Begin Patch\n*** Update File: a\n@@\n-write_file\n+b\n*** End Patch',
  unified: () => '```diff\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n```',
}
const EDIT_FORMATS = ['search-replace', 'v4a', 'unified'] as const
const change = fc.oneof(
  fc.record({ parameter: name, value: words }), fc.record({ parameter: fc.constant('action'), value: fc.constantFrom('file_append', 'fs.exists', 'name', 'x1') }),
)

describe.each(Object.entries({ ...forms, ...partly }))('a patch of %s', (form, write) => {
  it('changes what it names and nothing else, or nothing at all', async () => {
    let [applied, tried] = [0, 0]
    await fc.assert(fc.asyncProperty(params, fc.boolean(), fc.nat(), change, async (given, isCrlf, place, { parameter, value }) => {
      const written = ['Words.', write(given), 'End.', ''].join('\n\n')
      const text = isCrlf ? written.replaceAll(/\r?\n/g, '\r\n') : written
      const options = { editFormats: EDIT_FORMATS }
      const before = parse(text, options)
      fc.pre(before.blocks.length > 0 && before.errors.length === 0 && !/[\0]|\p{Surrogate}/u.test(text))
      const index = place % before.blocks.length
      const block = before.blocks[index]
      if (block === undefined) return
      const message = new Message({ text, ...options })
      const { success, errors } = await message.patch({ patches: [{ path: `${block.id}.${parameter}`, value }] })
      tried++
      if (!success) {
        expect(message.text).toBe(text)
        expect(errors?.[0]?.message).toMatch(/: use editor\/setMessage$|^Invalid message: it holds a NUL$/)
        // Elsewhere every text can be said.
        expect(form in partly ? '' : errors?.[0]?.message).toBe('')
        return
      }
      applied++
      const after = parse(message.text, options)
      const isSham = block.format === 'sham' || block.format === 'nesl'
      const changed = parameter === 'action'
        ? { action: value, params: isSham ? { ...block.params, action: value } : block.params }
        : { action: block.action, params: { ...block.params, [parameter]: value } }
      const wanted = before.blocks.map((one, i) => (i === index ? changed : { action: one.action, params: one.params }))
      expect(after.blocks.map((one) => ({ action: one.action, params: one.params }))).toEqual(wanted)
      expect(after.errors).toHaveLength(0)
      const [head, tail] = [`Words.\n\n`, `\n\nEnd.\n\n`].map((part) => part.replaceAll('\n', isCrlf ? '\r\n' : '\n'))
      expect(message.text.startsWith(head ?? '') && message.text.endsWith(tail ?? '')).toBe(true)
      if (isCrlf && !value.includes('\n')) expect(message.text).not.toMatch(/(?<!\r)\n/)
      if (!isCrlf && !/[\r]/.test(text + value)) expect(message.text).not.toContain('\r')
    }), { numRuns: 400 })
    // Else it would say nothing.
    const isChanged = !EDIT_FORMATS.some((each) => each === form)
    expect(isChanged ? applied : tried).toBeGreaterThan(isCampaign ? 25 : 5)
  })
})

describe('a message', () => {
  it.each([['a\0b', 'holds a NUL'], ['\ud800', 'half of a surrogate pair'], ['x'.repeat(16 * 2 ** 20 + 1), 'longer than']])('refuses %#', async (text, why) => {
    const message = new Message({ text: 'old' })
    await expect(message.set({ message: text })).rejects.toThrow(expect.objectContaining({ code: -32004, message: expect.stringContaining(why) as string }) as RpcError)
    expect(message.text).toBe('old')
  })

  it('keeps its revision where nothing changes', async () => {
    const message = new Message({ text: 'old' })
    expect(await message.set({ message: 'old' })).toMatchObject({ revision: 1 })
    expect(await message.set({ message: 'new', revision: 1 })).toMatchObject({ revision: 2 })
    await expect(message.set({ message: 'newer', revision: 1 })).rejects.toThrow('revision 2, not 1')
  })

  it('lets other things happen while many patches are applied, and the next request wait', async () => {
    const text = Array.from({ length: 400 }, (_, i) => shamBlock(`b${i}`, 'file_write', { path: `/${i}`, content: 'x'.repeat(500) })).join('\n')
    const patches = Array.from({ length: 200 }, (_, i) => ({ path: `b${i}.path`, value: '/y' }))
    const message = new Message({ text })
    const stopping = new AbortController()
    const patched = message.patch({ patches }, stopping.signal)
    const got = message.get({})
    setImmediate(() => stopping.abort())
    await expect(patched).rejects.toMatchObject({ code: -32800 })
    expect(await got).toMatchObject({ message: text, revision: 1 })
    expect(await message.patch({ patches: patches.slice(0, 3) })).toMatchObject({ patchesApplied: 3 })
  })
})
