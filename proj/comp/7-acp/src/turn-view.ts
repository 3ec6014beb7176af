import type { SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk'
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { AgentEvent } from '../../6-agent/src/index.js'
import { endWords, noticeWords } from '../../7-console/src/index.js'
import { rewriteLine, subjectOf } from '../../1-reports/src/index.js'
import { callTitle } from '../../2-terminal/src/index.js'
import { VerbRegistry } from '../../1-registry/src/index.js'
import { VERBS } from '../../5-executor/src/index.js'
import type { Masker } from '../../0-text/src/index.js'
import { callKind, callLocations, printedContent, resultContent, textContent } from './call-content.js'
import type { EditorPaths } from './editor-paths.js'

/** Longest parameters of a call that are sent beside its title, as JSON. */
const MOST_INPUT = 64_000

interface OpenCall {
  /** The client's id of it: those of models are unique in one answer only. */
  id: string
  tool: string
  title: string
}

interface ViewOptions {
  /** Absolute. */
  root: string
  named: EditorPaths
  masker: Masker
  /** The client shows notices (`session.notices`); else they stand in the text. */
  hasNotices: boolean
}

/** Turns what an agent does into updates of a session. */
export class TurnView {
  readonly #verbs = new VerbRegistry(VERBS)
  /** Those that run, by the agent's ids. */
  readonly #open = new Map<string, OpenCall>()
  /** Of this process: the client may know calls of one before. */
  readonly #prefix = randomUUID().slice(0, 8)
  #calls = 0

  constructor(private readonly options: ViewOptions) {}

  /** An id that no call has had. */
  newId(): string {
    return `${this.#prefix}-${++this.#calls}`
  }

  /** The call that something is asked about: the last that runs of the verb, else the last at all. */
  asking(action: string): OpenCall | undefined {
    const open = [...this.#open.values()]
    return open.findLast(({ tool }) => tool === action) ?? open.at(-1)
  }

  /** Calls of which no end came: whatever was to come of them is not known. */
  end(): SessionUpdate[] {
    const left = [...this.#open.values()]
    this.#open.clear()
    return left.map(({ id }) => ({ sessionUpdate: 'tool_call_update', toolCallId: id, status: 'failed' }))
  }

  async see(event: AgentEvent): Promise<SessionUpdate[]> {
    const { root, named, masker } = this.options
    switch (event.type) {
      case 'text': return [chunk('agent_message_chunk', event.text)]
      case 'reasoning': return [chunk('agent_thought_chunk', event.text)]
      case 'call_start': {
        const parameters = masker.value(event.parameters)
        const title = callTitle(event.tool, subjectOf(parameters, [root]))
        const call = { id: this.newId(), tool: event.tool, title }
        this.#open.set(event.id, call)
        const isShort = JSON.stringify(parameters).length <= MOST_INPUT
        return [{
          sessionUpdate: 'tool_call', toolCallId: call.id, status: 'in_progress', title,
          // What a verb needs may be missing here: then it is only not known what kind it is.
          kind: callKind(await this.#verbs.load(event.tool).catch(() => undefined)),
          locations: callLocations(parameters, root),
          ...(isShort && { rawInput: parameters }),
        }]
      }
      case 'call_output': return this.#running(event.id, { content: [printedContent(event.lines.join('\n'))] })
      case 'call_progress': {
        const [id] = [...this.#open.keys()].slice(-1)
        return id === undefined ? []
          : this.#running(id, { content: [textContent(`${event.what}: ${event.done} of ${event.total}`)] })
      }
      case 'call_end': {
        const { id, result, changes = [] } = event
        const places = changes.map(({ path }) => ({ path: named(resolve(path)) }))
        const ended = this.#running(id, {
          status: result.success ? 'completed' : 'failed', content: resultContent(result, changes, root, named),
          ...(places.length > 0 && { locations: places }),
        })
        this.#open.delete(id)
        return ended
      }
      case 'rewrites': return event.rewrites.map((rewrite) => this.notice(rewriteLine(rewrite)))
      case 'retry':
      case 'context':
      case 'notice': return [this.notice(noticeWords(event))]
      case 'end': {
        const { reason } = event
        return reason === 'answer' || reason === 'cancelled' ? [] : [this.notice(endWords(reason))]
      }
      case 'turn_start':
      case 'usage':
      case 'steer': return []
    }
  }

  /** A line of hermes itself. */
  notice(text: string): SessionUpdate {
    return this.options.hasNotices ? { sessionUpdate: 'notice', severity: 'info', title: text }
      : chunk('agent_message_chunk', `\n\n*${text.replace(/[*_`\\]/g, '\\$&')}*\n\n`)
  }

  #running(id: string, update: Omit<ToolCallUpdate, 'toolCallId'>): SessionUpdate[] {
    const call = this.#open.get(id)
    return call ? [{ sessionUpdate: 'tool_call_update', toolCallId: call.id, ...update }] : []
  }
}

export function chunk(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk', text: string,
): SessionUpdate {
  return { sessionUpdate, content: { type: 'text', text } }
}
