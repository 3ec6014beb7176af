/// <reference lib="esnext.disposable" preserve="true" />
import { HermesError } from '../../../0-contracts/src/index.js'
import { usageError } from '../../../0-text/src/index.js'
import type { ModelApi } from '../../../2-config/src/index.js'
import { answerMessage, type UserMessage } from './answer-message.js'
import { AgentLog } from './session/agent-log.js'
import { checkAgentOptions } from './check-options.js'
import { endpointOf, type Endpoint } from './model/endpoint.js'
import type { AgentPart } from './delegate/agent-part.js'
import { asOriginal } from './delegate/shown-paths.js'
import { Channel } from './channel.js'
import type { AgentEvent, TokenCount } from './events.js'
import { checkImages } from './image-input.js'
import type { LoopParts } from './loop-parts.js'
import { MessageBudget } from './message-budget.js'
import type { Message } from './messages.js'
import { commitTask, type TaskCommit } from './commit-task.js'
import { notesOf, withoutNotes } from './message-notes.js'
import { runsTakenBack, stillTold } from './taken-back.js'
import { changesOfSession, unitName, type SessionChanges } from '../../../3-transaction/src/index.js'
import { fitContext } from './model/context-window.js'
import { ModelClient } from './model/model-client.js'
import { WindowSize } from './model/window-size.js'
import type { AgentOptions, ChatOptions } from './loop-options.js'
import { RepeatedCalls } from './repeated-calls.js'
import { checkedId, newTaskId } from './session/session-store.js'
import { takeUp } from './settle.js'
import { Task } from './task.js'
import type { TaskCleanup } from './task-cleanups.js'
import { trajectoryOf } from './session/save-trajectory.js'

/** Formats of `hermes replay export`; listed here so that the types of consumers need not import them. */
type TrajectoryFormat = 'sharegpt' | 'openai' | 'responses' | 'anthropic' | 'vercel'

/** A tool offered to the model. */
export interface AgentTool {
  name: string
  description: string
  /** Name of its vocabulary. */
  toolset: string
}

/** The public view of a task: its conversation, and what it has cost. */
export interface TaskState {
  readonly id: string
  readonly root: string
  /** Without the system prompt. */
  readonly messages: readonly Message[]
  /** Counted in this process only. */
  readonly usage: TokenCount
  /**
   * Whether the last answer was cut short by the end of the process, a failure or a cancellation; `resume` continues
   * it.
   */
  readonly isUnfinished: boolean
}

/** Work on a task that excludes other work on it. */
type TaskWork = (parts: LoopParts, task: Task) => Promise<void>

/** The agent loop: asks the model, runs its calls and returns their results to it, until it answers in text only. */
export class Agent implements AsyncDisposable {
  /** Model name; may be changed between messages (`/model`). */
  model: string
  readonly options: Readonly<AgentOptions>
  readonly #endpoint: Endpoint
  readonly #client: ModelClient
  readonly #window: WindowSize
  readonly #log: AgentLog
  readonly #tasks = new Map<string, Promise<Task>>()
  readonly #defaultTask = newTaskId()
  readonly #disposed = new AbortController()
  readonly #running = new Set<Promise<void>>()
  /** Models for which the server refused tools. */
  readonly #withoutTools = new Set<string>()

  /** @throws HermesError `INVALID_OPTION` */
  constructor(options: AgentOptions, private readonly part?: AgentPart) {
    checkAgentOptions(options)
    this.options = options
    this.model = options.model
    this.#endpoint = endpointOf(options)
    this.#client = new ModelClient(this.#endpoint, options, part?.copy && asOriginal(part.copy))
    this.#window = new WindowSize(this.#client, options)
    this.#log = new AgentLog(options)
  }

  /** The API that the server speaks. */
  get api(): ModelApi {
    return this.#endpoint.api
  }

  /**
   * Runs the loop until an answer without calls; returns its text.
   *
   * @throws HermesError `CANCELLED`, `MODEL_FAILED` (also after `maxTurns`; `data.text` is the last text), `LOCKED`
   */
  async chat(message: string, options: ChatOptions = {}): Promise<string> {
    for await (const event of this.run(message, options)) {
      if (event.type !== 'end') continue
      const { reason, text } = event
      if (reason === 'answer' || reason === 'length') return text
      if (reason === 'cancelled') throw new HermesError('CANCELLED', 'Cancelled before the answer had ended', {
        data: { text },
      })
      if (reason === 'loop') throw new HermesError('MODEL_FAILED', 'The model made the same call again and again', {
        hint: 'Say in the same task what it shall do instead.', data: { text },
      })
      throw new HermesError('MODEL_FAILED', 'No answer after the greatest number of turns', {
        hint: 'Say "go on" in the same task, or allow more with maxTurns.', data: { text },
      })
    }
    throw new HermesError('INTERNAL', 'The agent ended without an answer')
  }

  /** As `chat`, as events in order. Leaving early cancels it. @throws HermesError */
  async *run(message: string, options: ChatOptions = {}): AsyncGenerator<AgentEvent, void> {
    const { images = [] } = options
    checkImages(images)
    yield* this.#events(options, (parts, task) => this.#answer(parts, task, { text: message, images }))
  }

  /**
   * Continues a conversation that was cut short, without a new message; ends at once where it was not. @throws
   * HermesError
   */
  async *resume(options: ChatOptions = {}): AsyncGenerator<AgentEvent, void> {
    yield* this.#events(options, (parts, task) => this.#answer(parts, task, undefined))
  }

  /**
   * Makes a conversation shorter now: old tool outputs are replaced by a line, older messages by a summary; a `context`
   * event reports it. @throws HermesError `INVALID_OPTION` where it is short already
   */
  async *compact(options: ChatOptions = {}): AsyncGenerator<AgentEvent, void> {
    yield* this.#events(options, async (parts) => {
      const isShorter = await fitContext(parts, 'asked').catch((error: unknown) => {
        if (!parts.signal.aborted || error instanceof HermesError) throw error
        throw new HermesError('CANCELLED', 'Cancelled: the conversation is as it was', {
          hint: 'Ask for it again when you like.', cause: error,
        })
      })
      if (isShorter) return
      throw usageError('There is nothing to make shorter', 'The last answer and your first message stay as they are.')
    })
  }

  /** Returns a task, opening it (with its stored conversation) if necessary. @throws HermesError `LOCKED` */
  async task(options: Pick<ChatOptions, 'taskId' | 'root'> = {}): Promise<TaskState> {
    const { id, root, conversation, meter } = await this.#task(options)
    const { messages, isUnfinished } = conversation
    return { id, root, messages, usage: { ...meter.total }, isUnfinished }
  }

  /** Clears the conversation and the working context of a task; its session keeps the record. */
  async clear(taskId?: string): Promise<void> {
    await (await this.#idle(taskId)).clear()
  }

  /**
   * Removes the user's last message and all that followed from the conversation; files stay as they are.
   *
   * @param putBack files (absolute) whose content is again as before that message: the session forgets them
   * @returns that message; `undefined` where there is none
   */
  async undo(taskId?: string, putBack: readonly string[] = []): Promise<string | undefined> {
    const { conversation, hermes } = await this.#idle(taskId)
    hermes.forgetFiles(putBack)
    const { said } = conversation
    const message = said.all.at(-1)
    if (!message) return undefined
    const [text, notes] = [withoutNotes(message.text), notesOf(message.text)]
    const isSummarised = said.isLastSummarised
    conversation.add({ type: 'replace', reason: 'undone', messages: conversation.withoutLast() })
    // The model has not seen these notes now, since they went with the message.
    if (notes !== undefined) conversation.add({ type: 'note', text: notes })
    if (isSummarised) conversation.add({ type: 'note', text: stillTold(text) })
    return text
  }

  /**
   * The user's messages, oldest first, including those replaced by a summary, each with the unit of its runs (`''` if
   * unknown).
   */
  async messages(taskId?: string): Promise<{ text: string; unit: string }[]> {
    const { id, conversation } = await this.#task({ taskId })
    return conversation.said.all.map(({ text, unit }) => (
      { text: withoutNotes(text), unit: unit === '' ? '' : unitName(id, unit) }
    ))
  }

  /**
   * Adds a note for the model to the user's next message.
   *
   * @param isOfUndo whether the note reports what was undone, so that no other note does
   */
  async note(text: string, taskId?: string, isOfUndo = false): Promise<void> {
    const task = await this.#idle(taskId)
    task.conversation.add({ type: 'note', text, ...(isOfUndo && { takenBack: runsTakenBack(task) }) })
  }

  /** The files that `commit` would commit for a task, and why others are left out, one line for each reason. */
  async committable(taskId?: string): Promise<SessionChanges> {
    const { id, root, hermes } = await this.#task({ taskId })
    await hermes.requireHere('/commit')
    return await changesOfSession(root, id) ?? { files: [], told: ['The root is in no git work tree.'] }
  }

  /** @internal As `Hermes.workPlace`, for a task. */
  async workPlace(taskId?: string): Promise<{ root: string; host?: string }> {
    return (await this.#task({ taskId })).hermes.workPlace()
  }

  /** @internal As `Hermes.requireHere`, for a task. */
  async requireHere(what: string, taskId?: string): Promise<void> {
    await (await this.#task({ taskId })).hermes.requireHere(what)
  }

  /** Commits the files that a task changed, and no others. @throws HermesError `NOTHING_TO_COMMIT`; as `git_commit` */
  async commit(message: string, { taskId, signal }: Pick<ChatOptions, 'taskId' | 'signal'> = {}): Promise<TaskCommit> {
    const task = await this.#idle(taskId)
    await task.hermes.requireHere('/commit')
    return commitTask(task, this.options, { message, signal: signal ?? this.#disposed.signal })
  }

  /** Registers a function to call when that task ends, besides those of `onTaskEnd`. */
  async addCleanup(taskId: string | undefined, cleanup: TaskCleanup): Promise<void> {
    const task = await this.#task({ taskId })
    task.cleanups.add(cleanup)
  }

  /** The tools offered to the model in a task. @throws HermesError `INVALID_OPTION` */
  async tools(taskId?: string): Promise<AgentTool[]> {
    const { tools, verbs } = await (await this.#task({ taskId })).offer()
    const known = new Map(verbs.map((verb) => [verb.name, verb]))
    const offered = tools.length > 0 ? tools.map(({ function: { name, description } }) => ({ name, description }))
      : verbs.map(({ name, description }) => ({ name, description }))
    return offered.map(({ name, description }) => ({
      name, description,
      toolset: (known.get(name) ?? verbs.find((verb) => verb.name.replaceAll('.', '_') === name))?.vocabulary ?? 'mcp',
    }))
  }

  /** The whole conversation as one line of training data, without secrets. */
  async trajectory(taskId?: string, format: TrajectoryFormat = 'sharegpt'): Promise<string> {
    return this.#trajectory(await this.#task({ taskId }), format)
  }

  /**
   * Ends a task: kills its running processes, calls the cleanups, closes its session. Does nothing where there is no
   * such task.
   */
  async end(taskId: string = this.#defaultTask): Promise<void> {
    const opening = this.#tasks.get(taskId)
    this.#tasks.delete(taskId)
    const task = await opening?.catch(() => undefined)
    for (const problem of await task?.end() ?? []) this.#log.notice(`A cleanup failed: ${String(problem)}`)
  }

  /** Cancels running work, and ends every task. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed.abort()
    await Promise.allSettled(this.#running)
    await Promise.all([...this.#tasks.keys()].map((id) => this.end(id)))
  }

  async *#events(options: ChatOptions, work: TaskWork): AsyncGenerator<AgentEvent, void> {
    const channel = new Channel<AgentEvent>()
    const left = new AbortController()
    const signal = AbortSignal.any([left.signal, this.#disposed.signal, ...(options.signal ? [options.signal] : [])])
    const emit = (event: AgentEvent): void => {
      this.#log.event(event)
      channel.push(event)
    }
    const working = this.#work(options, work, emit, signal)
    const noted = working.catch(() => undefined).finally(() => this.#running.delete(noted))
    this.#running.add(noted)
    yield* channel.during(working, () => left.abort())
  }

  /** Runs one piece of work in a task, which must be idle. */
  async #work(options: ChatOptions, work: TaskWork, emit: LoopParts['emit'], signal: AbortSignal): Promise<void> {
    const task = await this.#idle(options.taskId, options.root)
    // Another message may have started since the check above.
    requireIdle(task)
    task.isBusy = true
    try {
      if (this.#withoutTools.has(this.model) && task.style === 'native') await task.useBlocks()
      const parts = { ...await this.#parts(task, emit, signal), steer: options.steer }
      if (task.delegates) task.delegates.parts = parts
      await takeUp(parts, task.root)
      await work(parts, task)
    } finally {
      task.isBusy = false
    }
  }

  #answer(parts: LoopParts, task: Task, message: UserMessage | undefined): Promise<void> {
    return answerMessage(parts, task, message, () => this.#trajectory(task, 'sharegpt'))
  }

  async #parts(task: Task, emit: LoopParts['emit'], signal: AbortSignal): Promise<LoopParts> {
    const { hermes, conversation, meter, track, style } = task
    const { model } = this
    return {
      options: this.options, style, model, client: this.#client, window: this.#window, hermes, conversation, meter,
      track, repeats: new RepeatedCalls(), budget: new MessageBudget(), offer: await task.offer(), emit, signal,
      useBlocks: async () => {
        this.#withoutTools.add(model)
        await task.useBlocks()
        return this.#parts(task, emit, signal)
      },
    }
  }

  async #trajectory(task: Task, format: TrajectoryFormat): Promise<string> {
    const { conversation: { records }, hermes: { registry }, root } = task
    const secrets = { MODEL_API_KEY: this.#endpoint.apiKey }
    return trajectoryOf({ records, offer: await task.offer(), registry, root, secrets }, format)
  }

  /** @throws HermesError `LOCKED` while a message is being answered */
  async #idle(taskId: string | undefined, root?: string): Promise<Task> {
    const task = await this.#task({ taskId, root })
    requireIdle(task)
    return task
  }

  #task(options: Pick<ChatOptions, 'taskId' | 'root'>): Promise<Task> {
    const { taskId = this.#defaultTask, root = this.options.root ?? process.cwd() } = options
    const known = this.#tasks.get(taskId)
    if (known) return known
    if (this.#disposed.signal.aborted) {
      return Promise.reject(new HermesError('CANCELLED', 'The agent has been disposed of', { hint: 'Make a new one.' }))
    }
    const opening = Promise.resolve()
      .then(() => Task.open(checkedId(taskId), root, {
        options: { ...this.options, model: this.model }, part: this.part,
        makeDelegate: (own, part) => new Agent(own, part),
      }))
    this.#tasks.set(taskId, opening)
    // Forget a task that failed to open, so that a later call can try again.
    opening.catch(() => this.#tasks.get(taskId) === opening && this.#tasks.delete(taskId))
    return opening
  }
}

function requireIdle({ id, isBusy }: Task): void {
  if (!isBusy) return
  throw new HermesError('LOCKED', `Task ${id} is answering another message`, {
    hint: 'Wait for it, cancel it, or use another task id.',
  })
}
