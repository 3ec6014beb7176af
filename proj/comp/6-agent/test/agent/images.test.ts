import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type Anthropic from '@anthropic-ai/sdk'
import type OpenAI from 'openai'
import { afterAll, describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { MODEL_APIS } from '../../../2-config/src/index.js'
import { Hermes } from '../../../5-executor/src/index.js'
import { Agent, namedImages, openSessionStore, type AgentOptions, type ImageInput } from '../../src/agent/index.js'
import { useModelServer } from '../adapters/model-server.js'
import { eventsOf } from './support/use-agents.js'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64',
)
const SHOWN: ImageInput = { mediaType: 'image/png', data: PNG.toString('base64'), name: 'shot.png' }
const DATA_URL = `data:image/png;base64,${SHOWN.data}`
const server = useModelServer()
let plays = 0

function agentFor(api: typeof MODEL_APIS[number], texts: readonly string[], options: Partial<AgentOptions> = {}) {
  const model = `shown-${api}-${++plays}`
  server.play(model, texts.map((text) => ({ text })))
  const agent = new Agent({
    api, baseURL: `${server.url}/v1`, apiKey: 'key', root: tempDir(), policy: false, sandbox: 'none', gitCommit: false,
    quiet: true, surroundings: false, maxRetries: 0, ...options, model,
  })
  return { agent, model }
}

describe('an image', () => {
  // The assignments are the check: `tsc` holds our shapes against the clients'.
  const chat: OpenAI.ChatCompletionContentPart[] = [
    { type: 'image_url', image_url: { url: DATA_URL } }, { type: 'text', text: 'What is it?' },
  ]
  const responses: OpenAI.Responses.ResponseInputContent[] = [
    { type: 'input_image', image_url: DATA_URL, detail: 'auto' }, { type: 'input_text', text: 'What is it?' },
  ]
  const anthropic: Anthropic.ContentBlockParam[] = [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: SHOWN.data } },
    { type: 'text', text: 'What is it?', cache_control: { type: 'ephemeral' } },
  ]
  const content = { chat, responses, anthropic }

  it.each(MODEL_APIS)('goes by %s as its client sends one, and stays with the conversation', async (api) => {
    const sessions = openSessionStore({ directory: tempDir() })
    const { agent, model } = agentFor(api, ['A dot.', 'Yes.', 'Still.'], { sessions })
    await agent.chat('What is it?', { images: [SHOWN], taskId: 'one' })
    await agent.chat('Sure?', { taskId: 'one' })
    await agent[Symbol.asyncDispose]()
    await using again = new Agent({ ...agent.options, model })
    await again.chat('And now?', { taskId: 'one' })
    const bodies = server.requests(model)
    const first = (body: object): unknown => (
      ('input' in body ? body.input : (body as { messages: unknown }).messages) as { role: string; content: unknown }[]
    ).find(({ role }) => role === 'user')?.content
    expect(first(bodies[0] ?? {})).toEqual(content[api])
    for (const body of bodies) expect(JSON.stringify(first(body))).toContain(SHOWN.data)
    expect(await sessions.list()).toMatchObject([{ title: 'What is it?' }])
  })

  it('of megabytes leaves the title of its session readable', async () => {
    const sessions = openSessionStore({ directory: tempDir() })
    const { agent } = agentFor('chat', ['Much.'], { sessions })
    await using _ = agent
    const data = Buffer.alloc(2 ** 21, PNG).toString('base64')
    await agent.chat('Say "what" it\nis é', { images: [{ mediaType: 'image/png', data }] })
    expect(await sessions.list()).toMatchObject([{ title: 'Say "what" it' }])
  })

  it.each([
    ['chat', 404, 'No endpoints found that support image input'],
    ['chat', 500, 'image input is not supported - hint: you may need to provide the mmproj'],
    ['chat', 400, 'messages[0]: unknown variant `image_url`, expected `text`'],
    ['anthropic', 400, 'messages.0.content.0.image.source.base64: image exceeds 5 MB maximum'],
    ['responses', 400, 'Invalid value: input_image is not supported by this model'],
  ] as const)('that %s refuses (%i %s) is words, and the user is told; the next one is tried', async (api, status, message) => {
    const { agent, model } = agentFor(api, ['Blind.', 'Seen.'])
    await using _ = agent
    server.fail(model, [{ status, body: JSON.stringify({ error: { message } }) }])
    const events = await eventsOf(agent.run('What is it?', { images: [SHOWN] }))
    expect(events.at(-1)).toMatchObject({ type: 'end', text: 'Blind.' })
    expect(events.filter(({ type }) => type === 'notice')).toMatchObject([{ text: expect.stringContaining(message) }])
    const other = { ...SHOWN, data: Buffer.concat([PNG, PNG]).toString('base64') }
    expect(await agent.chat('And this?', { images: [other] })).toBe('Seen.')
    const [, inWords, next] = server.requests(model).map((body) => JSON.stringify(body))
    expect(inWords).toContain('[An image, shot.png, which you cannot see.]')
    expect(inWords).not.toContain(SHOWN.data)
    expect(next).toContain(other.data)
  })

  it('does not hide what else failed', async () => {
    const { agent, model } = agentFor('chat', ['Never.'])
    await using _ = agent
    server.fail(model, [{ status: 401, body: '{"error":{"message":"No key for images"}}' }])
    await expect(agent.chat('What?', { images: [SHOWN] })).rejects.toThrow('401')
    expect(server.requests(model)).toHaveLength(1)
  })

  it.each([
    ['no base64', [{ ...SHOWN, data: 'not base64' }], 'images.0.data'],
    ['too long', [{ ...SHOWN, data: 'A'.repeat(5_242_884) }], 'images.0.data'],
    ['another kind', [{ ...SHOWN, mediaType: 'image/bmp' }], 'images.0.mediaType'],
    ['too many', Array.from({ length: 21 }, () => SHOWN), 'images'],
  ])('with %s is refused before anything is asked', async (_, images, path) => {
    const { agent, model } = agentFor('chat', ['Never.'])
    await using _agent = agent
    const failure = await agent.chat('What?', { images: images as ImageInput[] }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'INVALID_OPTION', message: expect.stringContaining(`option ${path}`) })
    expect(String(failure)).not.toContain(SHOWN.data)
    expect(server.requests(model)).toEqual([])
  })
})

describe('images that a message names', () => {
  const root = tempDir(afterAll)
  mkdirSync(join(root, 'sub'))
  const files = ['a.png', 'sub/two words.png', 'b.PNG', 'icon@2x.png', 'shot.png']
  for (const file of files) writeFileSync(join(root, file), PNG)
  writeFileSync(join(root, 'text.png'), 'not one')
  writeFileSync(join(root, 'large.png'), PNG)
  truncateSync(join(root, 'large.png'), 4_000_000)
  mkdirSync(join(root, 'folder.png'))
  const outside = join(tempDir(afterAll), 'other.png')
  writeFileSync(outside, PNG)
  const named = async (message: string) => {
    const gate = await new Hermes({ root, relativePaths: true, policy: false }).gate()
    const { images, missing } = namedImages(message, gate)
    return [images.map(({ name }) => name), missing]
  }

  it.each([
    ['@a.png what is it?', ['a.png'], []],
    ['Compare @a.png, @b.PNG.', ['a.png', 'b.PNG'], []],
    ['(@a.png) and again @a.png', ['a.png'], []],
    ['@"sub/two words.png": why?', ['sub/two words.png'], []],
    ['@absent.png and @a.png', ['a.png'], ['absent.png']],
    ['me@a.png, icon@2x.png, @a.png.bak, @a.pngx, @src/a.ts', [], []],
    [`@${join(root, 'a.png')}`, [join(root, 'a.png')], []],
    ['一 @shot.png 。', ['shot.png'], []],
  ])('%s', async (message, images, missing) => {
    expect(await named(message)).toEqual([images, missing])
  })

  it.each([
    ['@text.png', 'INVALID_OPTION'], ['@large.png', 'FILE_TOO_LARGE'], [`@${outside}`, 'POLICY_DENIED'],
    ['@../x.png', 'POLICY_DENIED'], ['@folder.png', 'EISDIR'],
  ])('%s is refused: %s', async (message, code) => {
    await expect(named(message)).rejects.toMatchObject({ code, hint: expect.stringMatching(/\S/) })
  })
})
