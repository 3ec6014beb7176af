import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, stepCountIs, streamText, type ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { aiSdkTools } from '../../src/adapters/index.js'
import { useModelServer } from './model-server.js'
import { OFFER, PLAY_WITH_BAD_JSON, stage, TREE_AFTER } from './play.js'

const server = useModelServer()
const modelOf = (name: string) => createOpenAICompatible({ name: 'loopback', baseURL: `${server.url}/v1` })(name)

describe('a conversation', () => {
  it('with generateText ends in the right tree', async () => {
    const { hermes, tree, commits, asked } = stage()
    server.play('generate', PLAY_WITH_BAD_JSON)
    const { text, response } = await generateText({
      model: modelOf('generate'), prompt: 'Go.', tools: await aiSdkTools(hermes, OFFER), stopWhen: stepCountIs(5),
    })
    expect(text).toBe('Done.')
    expect(tree()).toEqual(TREE_AFTER)
    expect(outputsOf(response.messages)).toMatchObject(OUTPUTS)
    expect(asked).toHaveLength(1)
    // One run, and so one commit, a response.
    expect(commits()).toHaveLength(3)
  })

  it('with streamText ends in the right tree', async () => {
    const { hermes, tree, commits } = stage()
    server.play('stream', PLAY_WITH_BAD_JSON)
    const result = streamText({
      model: modelOf('stream'), prompt: 'Go.', tools: await aiSdkTools(hermes, OFFER), stopWhen: stepCountIs(5),
    })
    let text = ''
    for await (const piece of result.textStream) text += piece
    expect(text).toBe('I write the files.Done.')
    expect(tree()).toEqual(TREE_AFTER)
    expect(outputsOf((await result.response).messages)).toMatchObject(OUTPUTS)
    expect(commits()).toHaveLength(3)
  })
})

/** What is no call of a tool at all the SDK answers itself, before others. */
const OUTPUTS = [
  ['c1', { type: 'json', value: { success: true } }],
  ['c2', { type: 'error-json', value: { success: false, code: 'ENOENT' } }],
  ['c3', { type: 'error-text' }],
  ['c4', { type: 'json', value: { success: true } }],
  ['c5', { type: 'json', value: { data: { content: 'one\n' } } }],
  ['c6', { type: 'json', value: { success: true } }],
  ['c7', { type: 'error-text' }],
]

function outputsOf(messages: readonly ModelMessage[]): unknown[] {
  const parts = messages.flatMap(({ role, content }) => (role === 'tool' ? content : []))
  return parts.flatMap((part) => (part.type === 'tool-result' ? [[part.toolCallId, part.output] as const] : []))
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

it('conversations of one session do not share a run', async () => {
  const { hermes, commits } = stage()
  const tools = await aiSdkTools(hermes)
  const write = (path: string, messages: readonly unknown[]) => (
    tools['write_file']!.execute({ path, content: 'x' }, { toolCallId: path, messages })
  )
  const [one, other] = [[{ role: 'user' }], [{ role: 'user' }]]
  const before = commits().length
  await Promise.all([write('a.txt', one), write('b.txt', other), write('c.txt', one)])
  expect(commits().length - before).toBe(2)
})

it('a command is killed when the generation is aborted', async () => {
  const { hermes } = stage({ sandbox: 'none' })
  server.play('abort', [{ calls: [{ id: 'x', name: 'execute_command', arguments: '{"command": "echo begun > begun; sleep 60"}' }] }])
  const tools = await aiSdkTools(hermes)
  const controller = new AbortController()
  const ended = tools['execute_command']!.execute({ command: 'sleep 60' }, { toolCallId: 'x', abortSignal: controller.signal })
  const behind = tools['list_directory']!.execute({ path: '.' }, { toolCallId: 'y', abortSignal: controller.signal })
  const other = tools['list_directory']!.execute({ path: '.' }, { toolCallId: 'z' })
  setTimeout(() => controller.abort(), 100)
  expect(await ended).toMatchObject({ success: false, code: 'CANCELLED' })
  expect(await behind).toMatchObject({ success: false, code: 'CANCELLED' })
  // Another conversation of the same session goes on.
  expect(await other).toMatchObject({ success: true })
})
