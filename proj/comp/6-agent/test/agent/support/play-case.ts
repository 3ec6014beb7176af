import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeSync } from 'fs-extra/esm'
import { dump } from 'js-yaml'
import { readTree, writeTree, type FileTree } from '../../../../../test/support/file-tree.js'
import type { GoldenCase } from '../../../../../test/support/goldens.js'
import { shamBlock } from '../../../../1-registry/src/registry/index.js'
import { Agent, type AgentEvent, type AgentOptions } from '../../../src/agent/index.js'
import type { ModelRequest, ModelServer } from './model-server.js'
import { readAnswer, type ScriptedAnswer } from './script.js'

/** How calls of a script are written: by function calling, or as blocks of one of the formats. */
export type Style = 'native' | 'sham' | 'envelope' | 'tool_call'

/** What a case says; see test-data/*.cases.md. */
export interface Conversation {
  options: Partial<AgentOptions>
  styles: Style[]
  before: FileTree
  /** Messages of the user, each with the answers to it. */
  exchanges: { message: string; answers: ScriptedAnswer[] }[]
  /** `undefined`: not looked at. */
  after: FileTree | undefined
  end: string
  /** By the number of the request: what it must hold. */
  sees: { request: number; texts: string[] }[]
  events: string[] | undefined
}

export function readConversation({ fences }: GoldenCase): Conversation {
  const found: Conversation = {
    options: {}, styles: ['native'], before: {}, exchanges: [], after: undefined, end: '', sees: [], events: undefined,
  }
  for (const { info, body } of fences) {
    const [kind = '', second = ''] = info.split(/\s+/)
    const lines = body.split('\n').filter((line) => line !== '')
    if (kind === 'user') found.exchanges.push({ message: body, answers: [] })
    else if (kind === 'answer') found.exchanges.at(-1)?.answers.push(readAnswer(info, body))
    else if (kind === 'end') found.end = body
    else if (kind === 'sees') found.sees.push({ request: Number(second), texts: lines })
    else if (kind === 'events') found.events = lines
    else if (kind === 'json' && second === 'before') found.before = JSON.parse(body) as FileTree
    else if (kind === 'json' && second === 'after') found.after = JSON.parse(body) as FileTree
    else if (kind === 'json' && second === 'options') {
      const { styles, ...options } = JSON.parse(body) as Partial<AgentOptions> & { styles?: Style[] }
      found.options = options
      found.styles = styles ?? found.styles
    } else if (kind !== 'json' || second !== 'knows') throw new Error(`A fence that means nothing here: ${info}`)
  }
  return found
}

export interface Played {
  tree: FileTree
  /** `reason: text`, or `CODE: message` of what was thrown. */
  end: string
  events: AgentEvent[]
  requests: readonly ModelRequest[]
}

/** Plays the whole conversation in a fresh directory. */
export async function play(
  conversation: Conversation, server: ModelServer, model: string, style: Style,
): Promise<Played> {
  // Many at once: the runner could not tell whose directory it is.
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-test-')))
  writeTree(root, conversation.before)
  const answers = conversation.exchanges.flatMap((exchange) => exchange.answers)
  server.play(model, answers.map((answer) => (style === 'native' ? answer : asBlocks(answer, style))))
  const events: AgentEvent[] = []
  let end = ''
  // No `await using`: the trials bundle this for Node 20.
  const agent = new Agent({
    model, baseURL: server.url, root, policy: false, sandbox: 'none', gitCommit: false, quiet: true, maxRetryWaitMs: 30,
    ...(style === 'native' ? { style: 'native' } : { style: 'blocks', blocksFormat: style }), ...conversation.options,
  })
  try {
    for (const { message } of conversation.exchanges) {
      for await (const event of agent.run(message)) {
        events.push(event)
        if (event.type === 'end') end = `${event.reason}: ${event.text}`
      }
    }
  } catch (error) {
    const { code, message } = error as Error & { code?: string }
    end = `${code}: ${message}`
  } finally {
    await agent[Symbol.asyncDispose]()
  }
  const tree = readTree(root)
  removeSync(root)
  return { tree, end, events, requests: server.requests(model) }
}

/** The same calls as blocks behind the text. */
export function asBlocks(answer: ScriptedAnswer, style: Exclude<Style, 'native'>): ScriptedAnswer {
  const blocks = answer.calls.map(({ name, arguments: args }, index) => {
    if (style === 'tool_call') return `<tool_call>{"name": ${JSON.stringify(name)}, "arguments": ${args}}</tool_call>`
    const parameters = JSON.parse(args) as Record<string, unknown>
    if (style === 'sham') return shamBlock(`id${index}`, name, parameters)
    return `\`\`\`yaml hermes\n${dump({ verb: name, arguments: parameters })}\`\`\``
  })
  if (blocks.length === 0) return { ...answer, calls: [] }
  const parts = [answer.text, ...blocks, ''].filter((part, at) => part !== '' || at > 0)
  return { ...answer, calls: [], text: parts.join('\n') }
}

/** One line for each event that a case looks at. */
export function eventLines(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'call_end') return [`call ${event.tool} ${event.result.success ? 'ok' : event.result.code}`]
    if (event.type === 'retry') return [`retry ${event.attempt}: ${event.reason}`]
    if (event.type === 'context') return [`context: ${event.pruned} pruned${event.summarized ? ', summarized' : ''}`]
    return event.type === 'notice' ? [`notice: ${event.text}`] : []
  })
}
