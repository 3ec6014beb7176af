import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { describe, expect, it } from 'vitest'
import type { Hermes } from '../../../5-executor/src/executor/index.js'
import { chatTools, responsesTools, runChatCalls, runResponsesCalls } from '../../src/adapters/index.js'
import { useModelServer } from './model-server.js'
import { OFFER, PLAY_WITH_BAD_JSON, stage, TREE_AFTER } from './play.js'
import type { Turn } from './wire.js'

const server = useModelServer()
const client = () => new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 })

/** A harness as one is written with the client, to its last message. */
async function chat(hermes: Hermes, model: string, isStreamed: boolean): Promise<ChatCompletionMessageParam[]> {
  const tools = await chatTools(hermes, OFFER)
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'Go.' }]
  for (;;) {
    const completion = isStreamed
      ? await client().chat.completions.stream({ model, messages, tools }).finalChatCompletion()
      : await client().chat.completions.create({ model, messages, tools })
    const choice = completion.choices[0]!
    const answers = await runChatCalls(hermes, choice)
    messages.push(choice.message, ...answers)
    if (answers.length === 0) return messages
  }
}

async function respond(hermes: Hermes, model: string, isStreamed: boolean): Promise<ResponseInputItem[]> {
  const tools = await responsesTools(hermes, OFFER)
  const input: ResponseInputItem[] = [{ role: 'user', content: 'Go.' }]
  for (;;) {
    const response = isStreamed
      ? await client().responses.stream({ model, input, tools }).finalResponse()
      : await client().responses.create({ model, input, tools })
    const answers = await runResponsesCalls(hermes, response)
    input.push(...response.output as ResponseInputItem[], ...answers)
    if (answers.length === 0) return input
  }
}

describe.each([['whole', false], ['streamed', true]])('a conversation, %s', (_, isStreamed) => {
  it('by chat completions ends in the right tree', async () => {
    const { hermes, tree, commits, asked } = stage()
    const model = `chat-${isStreamed}`
    server.play(model, PLAY_WITH_BAD_JSON)
    const messages = await chat(hermes, model, isStreamed)
    expect(tree()).toEqual(TREE_AFTER)
    expect(answersOf(messages.map((each) => (each.role === 'tool' ? [each.tool_call_id, each.content as string] : [])))).toEqual(ANSWERS)
    expect(asked.map(({ action }) => action)).toEqual(['delete_file'])
    // One run, and so one commit, a response.
    expect(commits()).toHaveLength(3)
  })

  it('by Responses ends in the right tree', async () => {
    const { hermes, tree, commits } = stage()
    const model = `responses-${isStreamed}`
    server.play(model, PLAY_WITH_BAD_JSON)
    const items = await respond(hermes, model, isStreamed)
    expect(tree()).toEqual(TREE_AFTER)
    expect(answersOf(items.map((each) => (each.type === 'function_call_output' ? [each.call_id ?? '', each.output as string] : [])))).toEqual(ANSWERS)
    expect(commits()).toHaveLength(3)
  })
})

const ANSWERS = [
  ['c1', expect.objectContaining({ success: true })],
  ['c2', expect.objectContaining({ success: false, code: 'ENOENT' })],
  ['c3', expect.objectContaining({ success: false, code: 'UNKNOWN_ACTION', error: 'Unknown action: no_such_tool' })],
  ['c4', expect.objectContaining({ success: true })],
  ['c7', expect.objectContaining({ success: false, code: 'INVALID_TOOL_CALL', hint: 'Write: {"path": "one.txt"}' })],
  ['c5', expect.objectContaining({ success: true, data: expect.objectContaining({ content: 'one\n' }) })],
  ['c6', expect.objectContaining({ success: true })],
]

function answersOf(pairs: readonly (readonly string[])[]): unknown[] {
  return pairs.filter(({ length }) => length > 0).map(([id, text]) => [id, JSON.parse(text ?? '')])
}

/** The last call broke off, and is JSON all the same. */
const CUT: Turn = {
  calls: [
    { id: 'a', name: 'write_file', arguments: '{"path": "a.txt", "content": "whole"}' },
    { id: 'b', name: 'write_file', arguments: '{"path": "b.txt", "content": "half"}' },
  ],
  isCut: true,
}

describe('a response that runs into the limit of tokens', () => {
  it('of chat completions: the last call is not run', async () => {
    const { hermes, tree } = stage()
    server.play('cut', [CUT])
    const { choices } = await client().chat.completions.create({ model: 'cut', messages: [], tools: await chatTools(hermes) })
    const [a, b] = await runChatCalls(hermes, choices[0]!)
    expect([JSON.parse(a!.content), JSON.parse(b!.content)]).toMatchObject([{ success: true }, { success: false, code: 'UNCLOSED_BLOCK' }])
    expect(tree()).toEqual({ 'old.txt': 'old\n', 'a.txt': 'whole' })
  })

  it('of Responses: the last call is not run', async () => {
    const { hermes, tree } = stage()
    server.play('cut', [CUT])
    const response = await client().responses.create({ model: 'cut', input: [], tools: await responsesTools(hermes) })
    const [a, b] = await runResponsesCalls(hermes, response)
    expect([JSON.parse(a!.output), JSON.parse(b!.output)]).toMatchObject([{ success: true }, { success: false, code: 'UNCLOSED_BLOCK' }])
    expect(tree()).toEqual({ 'old.txt': 'old\n', 'a.txt': 'whole' })
  })
})

describe('calls that are not of hermes', () => {
  it("of the caller's tools are left to the caller, others are answered", async () => {
    const { hermes } = stage()
    const calls = [
      { id: 'mine', type: 'function' as const, function: { name: 'weather', arguments: '{}' } },
      { id: 'custom', type: 'custom' as const, custom: { name: 'sql', input: 'select 1' } },
      { id: 'ours', type: 'function' as const, function: { name: 'list_directory', arguments: '' } },
    ]
    const answers = await runChatCalls(hermes, { message: { tool_calls: calls }, finish_reason: 'tool_calls' }, { except: ['weather'] })
    expect(answers.map((each) => [each.tool_call_id, (JSON.parse(each.content) as { code?: string }).code])).toEqual([
      ['custom', 'UNKNOWN_ACTION'], ['ours', 'MISSING_PARAMETER'],
    ])
  })

  it('by both: a custom tool that has the name of a verb gets its text', async () => {
    const { hermes, tree } = stage()
    const input = '*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch\n'
    const call = { id: 'p', type: 'custom' as const, custom: { name: 'apply_patch', input } }
    const [answer] = await runChatCalls(hermes, { message: { tool_calls: [call] }, finish_reason: 'tool_calls' })
    expect(JSON.parse(answer!.content)).toMatchObject({ success: true })
    const item = { type: 'custom_tool_call', call_id: 'q', name: 'apply_patch', input: input.replace('a.txt', 'b.txt') }
    const [output] = await runResponsesCalls(hermes, { output: [item], status: 'completed' })
    expect(JSON.parse(output!.output)).toMatchObject({ success: true })
    expect(tree()).toMatchObject({ 'a.txt': 'one\n', 'b.txt': 'one\n' })
  })

  it('by Responses: what OpenAI runs itself is not touched', async () => {
    const { hermes } = stage()
    const output = [
      { type: 'web_search_call', id: 'ws', status: 'completed' },
      { type: 'custom_tool_call', call_id: 'q', name: 'sql', input: 'select 1' },
    ]
    const answers = await runResponsesCalls(hermes, { output, status: 'completed' })
    expect(answers).toMatchObject([{ type: 'custom_tool_call_output', call_id: 'q', output: expect.stringContaining('UNKNOWN_ACTION') }])
  })
})
