import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import type { Hermes } from '../../../5-executor/src/executor/index.js'
import { anthropicTools, runToolUses } from '../../src/adapters/index.js'
import { useModelServer } from './model-server.js'
import { OFFER, PLAY, stage, TREE_AFTER } from './play.js'

const server = useModelServer()
const client = () => new Anthropic({ baseURL: server.url, apiKey: 'none', maxRetries: 0 })

/** A harness as one is written with the client, to its last message. */
async function talk(hermes: Hermes, model: string, isStreamed: boolean): Promise<Anthropic.MessageParam[]> {
  const tools = await anthropicTools(hermes, OFFER)
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Go.' }]
  for (;;) {
    const request = { model, messages, tools, max_tokens: 1000 }
    const message = isStreamed ? await client().messages.stream(request).finalMessage() : await client().messages.create(request)
    const answers = await runToolUses(hermes, message)
    messages.push({ role: 'assistant', content: message.content }, ...answers)
    if (answers.length === 0) return messages
  }
}

it.each([['whole', false], ['streamed', true]])('a conversation, %s, ends in the right tree', async (_, isStreamed) => {
  const { hermes, tree, commits } = stage()
  const model = `claude-${isStreamed}`
  server.play(model, PLAY)
  const messages = await talk(hermes, model, isStreamed)
  expect(tree()).toEqual(TREE_AFTER)
  // One run, and so one commit, a message.
  expect(commits()).toHaveLength(3)
  const results = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content)).filter(({ type }) => type === 'tool_result')
  expect(results).toMatchObject([
    { tool_use_id: 'c1', content: expect.stringContaining('"success":true') },
    { tool_use_id: 'c2', is_error: true, content: expect.stringContaining('ENOENT') },
    { tool_use_id: 'c3', is_error: true, content: expect.stringContaining('Unknown action: no_such_tool') },
    { tool_use_id: 'c4', content: expect.stringContaining('"success":true') },
    { tool_use_id: 'c5', content: expect.stringContaining('one\\n') },
    { tool_use_id: 'c6', content: expect.stringContaining('"success":true') },
  ])
})

describe('a stream that runs into the limit of tokens', () => {
  it('does not run the call that broke off, which the SDK completes', async () => {
    const { hermes, tree } = stage()
    server.play('cut', [{
      calls: [
        { id: 'a', name: 'write_file', arguments: '{"path": "a.txt", "content": "whole"}' },
        { id: 'b', name: 'write_file', arguments: '{"path": "b.txt", "content": "half", "create_dir' },
      ],
      isCut: true,
    }])
    const request = { model: 'cut', messages: [], tools: await anthropicTools(hermes), max_tokens: 10 }
    const message = await client().messages.stream(request).finalMessage()
    expect(message.content[1]).toMatchObject({ input: { path: 'b.txt', content: 'half' } })
    const [answer] = await runToolUses(hermes, message)
    expect(answer?.content).toMatchObject([{ tool_use_id: 'a' }, { tool_use_id: 'b', is_error: true, content: expect.stringContaining('UNCLOSED_BLOCK') }])
    expect(tree()).toEqual({ 'old.txt': 'old\n', 'a.txt': 'whole' })
  })
})

it('leaves what Anthropic runs itself alone, and appends nothing where there is no call', async () => {
  const { hermes } = stage()
  expect(await runToolUses(hermes, { content: [{ type: 'text' }, { type: 'server_tool_use' }], stop_reason: 'end_turn' })).toEqual([])
})
