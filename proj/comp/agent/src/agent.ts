/// <reference lib="esnext.disposable" preserve="true" />
import type { AgentEvent, TokenCount } from './events.js'
import type { Message } from './messages.js'
import type { AgentOptions, ChatOptions } from './options.js'
import type { TaskCleanup } from './task-cleanups.js'

/** A tool that the model is offered. */
export interface AgentTool {
  name: string
  description: string
  toolset: string
}

/** One task as callers see it: its conversation, and what it has cost. */
export interface TaskState {
  readonly id: string
  readonly root: string
  /** Without the system prompt. */
  readonly messages: readonly Message[]
  readonly usage: TokenCount
  /** The last answer was cut short by an end of the process, a failure or a cancellation: `resume` goes on. */
  readonly isUnfinished: boolean
}

/** The loop around the actuator: asks the model, runs its calls, hands back their results, until it answers in text only. */
export class Agent implements AsyncDisposable {
  /** May be changed between messages (`/model`). */
  model: string
  readonly options: Readonly<AgentOptions>

  /** @throws HermesError `INVALID_OPTION` */
  constructor(options: AgentOptions) {
    this.options = options
    this.model = options.model
  }

  /** Runs the loop until an answer without calls; its text. @throws HermesError */
  async chat(message: string, options: ChatOptions = {}): Promise<string> {
    let text = ''
    for await (const event of this.run(message, options)) if (event.type === 'end') text = event.text
    return text
  }

  /** The same as events, in order. Leaving early cancels it. */
  async *run(_message: string, _options: ChatOptions = {}): AsyncGenerator<AgentEvent, void> {
    yield { type: 'end', reason: 'answer', text: '' }
  }

  /** Goes on with a conversation that was cut short, without a new message; ends at once where it was not. */
  async *resume(_options: ChatOptions = {}): AsyncGenerator<AgentEvent, void> {
    yield { type: 'end', reason: 'answer', text: '' }
  }

  /** A task, opened where it is not yet: its kept conversation is read then. @throws HermesError `LOCKED` */
  async task(_options: Pick<ChatOptions, 'taskId' | 'root'> = {}): Promise<TaskState> {
    return { id: '', root: '', messages: [], usage: { input: 0, output: 0 }, isUnfinished: false }
  }

  /** Forgets the conversation of a task; its session keeps the record. */
  async clear(_taskId?: string): Promise<void> {}

  /** Takes back the user's last message and all that followed. @returns that message; `undefined` where there is none */
  async undo(_taskId?: string): Promise<string | undefined> {
    return undefined
  }

  /** Called when that task ends, with all of `onTaskEnd`. */
  addCleanup(_taskId: string | undefined, _cleanup: TaskCleanup): void {}

  /** What the model is offered. @throws HermesError `INVALID_OPTION` */
  async tools(): Promise<AgentTool[]> {
    return []
  }

  /** Ends a task: kills what runs of it, calls the cleanups, closes its session. Nothing where there is none. */
  async end(_taskId?: string): Promise<void> {}

  /** Ends every task's shells and children. */
  async [Symbol.asyncDispose](): Promise<void> {}
}
