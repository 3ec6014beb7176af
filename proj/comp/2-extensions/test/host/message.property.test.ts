import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCampaign } from '../../../../test/support/campaign.js'
import { readGoldens } from '../../../../test/support/goldens.js'
import type { Patch } from '../../src/kit/index.js'
import { parse } from '../../../1-reading/src/parsers/index.js'
import { shamBlock } from '../../../1-registry/src/registry/index.js'
import type { RpcError } from '../../../2-wire/src/json-rpc/index.js'
import { Message } from '../../src/host/index.js'

describe('patches', () => {
  it.each(readGoldens(new URL('../../test-data/host/patches.cases.md', import.meta.url)))('$name', async ({ fences }) => {
    const body = (kind: string): string | undefined => fences.find(({ info }) => info.split(' ')[1] === kind)?.body
    const text = body('message') ?? ''
    const message = new Message({ text, editFormats: ['search-replace'] })
    const { revision: _, ...result } = await message.patch({ patches: JSON.parse(body('patches') ?? '[]') as Patch[] })
    expect({ result, text: message.text }).toEqual({ result: JSON.parse(body('result') ?? '{}'), text: body('after') ?? text })
  })
})

const words = fc.string({ unit: fc.constantFrom(...'abz"\\\'<>#!: \n\r\té🙂{}[]-`') , maxLength: 12 })
const name = fc.constantFrom('path', 'content', 'old_text', 'x1')
const params = fc.dictionary(name, words, { minKeys: 1 })
const block = fc.oneof(
  params.map(given => shamBlock('abc', 'file_write', given)),
  params.map(given => `<tool_call>${JSON.stringify({ name: 'write_file', arguments: given })}</tool_call>`),
  params.map(given => `\`\`\`json hermes\n${JSON.stringify({ verb: 'fs.writeFile', arguments: given })}\n\`\`\``),
  params.map(given => `\`\`\`yaml hermes\nverb: fs.writeFile # keep\narguments: ${JSON.stringify(given)}\n\`\`\``),
)

describe('a patch of any text', () => {
  it('changes what it names and nothing else, or nothing at all', async () => {
    let applied = 0
    await fc.assert(fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 4 }), fc.nat(), name, words, async (blocks, place, parameter, value) => {
      const text = ['Words.', ...blocks, 'End.', ''].join('\n\n')
      const before = parse(text)
      fc.pre(before.blocks.length > 0)
      const index = place % before.blocks.length
      const { id } = before.blocks[index] ?? { id: '' }
      const nth = before.blocks.slice(0, index + 1).filter(one => one.id === id).length
      const message = new Message({ text })
      const { success } = await message.patch({ patches: [{ path: `${id}[${nth}].${parameter}`, value }] })
      const after = parse(message.text)
      if (!success) return message.text === text
      applied++
      const wanted = before.blocks.map((one, i) => (i === index ? { ...one.params, [parameter]: value } : one.params))
      expect(after.blocks.map(one => one.params)).toEqual(wanted)
      expect(after.errors).toHaveLength(before.errors.length)
      return message.text.startsWith('Words.\n\n') && message.text.endsWith('\n\nEnd.\n\n')
    }), { numRuns: 300 })
    // Else it would say nothing.
    expect(applied).toBeGreaterThan(isCampaign ? 200 : 20)
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
