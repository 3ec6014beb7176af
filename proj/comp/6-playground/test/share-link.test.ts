import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fragmentOf, readFragment } from '../src/index.js'

const deflated = (bytes: string | Buffer): string => `#a=${deflateRawSync(bytes).toString('base64url')}`
const plain = (bytes: string | Buffer): string => `#p=${Buffer.from(bytes).toString('base64url')}`

describe('a link', () => {
  it.each([
    ['', []], ['text é 😀\n\ufeff\u0000</script>', ['search-replace', 'whole']], ['\r\n'.repeat(9), ['v4a']],
    ['long '.repeat(200_000), []],
  ] as const)('carries an answer and how it is read: %j', async (text, formats) => {
    const fragment = await fragmentOf({ text, formats })
    expect(fragment).toMatch(/^#a=[\w-]*$/)
    expect(await readFragment(fragment)).toEqual({ text, formats })
  })

  it('may come from a browser that compresses nothing', async () => {
    expect(await readFragment(plain('\nplain text'))).toEqual({ text: 'plain text', formats: [] })
  })

  it('is not made of what does not fit into an address', async () => {
    const text = Array.from({ length: 40_000 }, (_, index) => Math.sin(index)).join('')
    await expect(fragmentOf({ text, formats: [] })).rejects.toThrow('The answer is too long for a link')
    await expect(fragmentOf({ text: ' '.repeat(3_000_000), formats: [] })).rejects.toThrow('too long')
  })

  it('of something else is passed over', async () => {
    for (const fragment of ['', '#', '#top', '#b=abcd', '#A=x']) expect(await readFragment(fragment)).toBeUndefined()
  })

  it.each([
    ['characters that are none of it', '#a=<img src=x onerror=alert(1)>'], ['a part is missing', deflated('\nsome text').slice(0, -4)],
    ['a length that there is not', '#p=abcde'], ['bytes that are no text', plain(Buffer.from([10, 0xff, 0xfe]))],
    ['no line of formats', plain('text')], ['a format that there is not', plain('toString,whole\ntext')],
    ['nothing', '#a='], ['bytes that are not deflated', plain('\nno').replace('p=', 'a=')],
    ['more than any link has', `#p=${'A'.repeat(4_000_000)}`],
  ])('that is damaged says so: %s', async (_, fragment) => {
    await expect(readFragment(fragment)).rejects.toMatchObject({ code: 'INVALID_OPTION', message: 'The link is damaged' })
  })

  it('that unfolds to more than a browser holds is given up', async () => {
    const bomb = deflated(Buffer.concat([Buffer.from('\n'), Buffer.alloc(30_000_000, 'x')]))
    expect(bomb.length).toBeLessThan(64_000)
    await expect(readFragment(bomb)).rejects.toThrow('The link holds more than this page shows')
  })
})
