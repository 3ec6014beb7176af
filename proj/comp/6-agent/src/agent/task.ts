import { resolve } from 'node:path'
import type { HermesEvent, ParsedBlock } from '../../../0-contracts/src/index.js'
import { Hermes, type ExecutorOptions } from '../../../5-executor/src/index.js'
import type { CallTracker } from './call-tracker.js'
import type { AgentPart, MakeDelegate } from './delegate/agent-part.js'
import { asCopied, withTexts } from './delegate/shown-paths.js'
import { TaskDelegates } from './delegate/task-delegates.js'
import { Conversation } from './conversation.js'
import { makeOffer, type Offer } from './offer.js'
import type { AgentOptions, CallStyle } from './loop-options.js'
import type { RecordedCall, Session } from './session/sessions.js'
import { cleanUp, type TaskCleanup } from './task-cleanups.js'
import { taskVerbs, type TaskVerbs } from './task-verbs.js'
import { TokenMeter } from './model/token-meter.js'

/** The listeners of a session, filled in as they are created. */
interface Tracked {
  tracker: CallTracker | undefined
  task: Task | undefined
  delegates: TaskDelegates | undefined
}

/** What tasks are made from. */
export interface TaskMaking {
  options: AgentOptions
  /** Set for a delegate. */
  part: AgentPart | undefined
  makeDelegate: MakeDelegate
}

/** Everything that belongs to one task; tasks share nothing. */
export class Task {
  readonly conversation: Conversation
  readonly meter: TokenMeter
  readonly cleanups = new Set<TaskCleanup>()
  /** Whether a message is being answered. */
  isBusy = false
  /** Unit of its runs: the message being answered. */
  unit: string | undefined
  /** Called when a run waits for another run in the root, while a message is being answered. */
  onWait: ((who: string) => void) | undefined
  #offer: Promise<Offer> | undefined

  private constructor(
    readonly id: string,
    /** Absolute. */
    readonly root: string,
    public hermes: Hermes, private readonly session: Session | undefined, private verbs: TaskVerbs,
    private readonly tracked: Tracked, private making: TaskMaking,
  ) {
    tracked.task = this
    this.conversation = new Conversation(session)
    this.meter = new TokenMeter(making.options)
  }

  /** @throws HermesError `INVALID_OPTION`, `LOCKED` */
  static async open(id: string, root: string, making: TaskMaking): Promise<Task> {
    const { options, part, makeDelegate } = making
    const tracked: Tracked = { tracker: undefined, task: undefined, delegates: undefined }
    const absolute = resolve(root)
    const verbs = await taskVerbs(options, absolute, part?.allows)
    if (options.delegate !== false) tracked.delegates = new TaskDelegates({
      make: makeDelegate, place: async () => ({
        given: root, root: (await hermes.workPlace()).root, verbs: await (tracked.task?.hermes ?? hermes).verbs(),
      }),
    })
    const hermes = new Hermes(sessionOptions(root, making, verbs, tracked))
    try {
      const session = options.sessions
        ? await options.sessions.open(id, { model: options.model, root: absolute }) : undefined
      const task = new Task(id, absolute, hermes, session, verbs, tracked, making)
      await task.#runContextCalls(task.conversation.contextCalls)
      return task
    } catch (error) {
      await hermes[Symbol.asyncDispose]()
      throw error
    }
  }

  readonly track = (tracker: CallTracker | undefined): void => {
    this.tracked.tracker = tracker
  }

  /** @throws HermesError `INVALID_OPTION` */
  offer(): Promise<Offer> {
    const offer = this.#offer ??= makeOffer(this.hermes, this.making.options, this.verbs)
    // Forget a failed offer: a host that is unreachable now may be reachable later.
    offer.catch(() => {
      if (this.#offer === offer) this.#offer = undefined
    })
    return offer
  }

  get style(): CallStyle {
    return this.making.options.style ?? 'native'
  }

  /** Switches to block style, with the verbs that go with it, in a new session of hermes. */
  async useBlocks(): Promise<void> {
    const making: TaskMaking = { ...this.making, options: { ...this.making.options, style: 'blocks' } }
    const verbs = await taskVerbs(making.options, this.root, making.part?.allows)
    const before = this.hermes
    this.hermes = new Hermes(sessionOptions(this.root, making, verbs, this.tracked))
    this.making = making
    this.verbs = verbs
    this.#offer = undefined
    await before[Symbol.asyncDispose]()
    await this.#runContextCalls(this.conversation.contextCalls)
  }

  /** `undefined` where the model may have no delegates. */
  get delegates(): TaskDelegates | undefined {
    return this.tracked.delegates
  }

  /** Clears the conversation, and the working context with it. */
  async clear(): Promise<void> {
    this.delegates?.forget()
    this.conversation.add({ type: 'replace', reason: 'cleared', messages: [] })
    await this.#runContextCalls([{ tool: 'context_clear', parameters: {} }])
  }

  /** Runs context verbs; a file that no longer exists is not added. */
  async #runContextCalls(calls: readonly Pick<RecordedCall, 'tool' | 'parameters'>[]): Promise<void> {
    if (calls.length === 0) return
    await this.hermes.call(calls.map(({ tool, parameters }, index) => (
      { id: `context${index}`, name: tool, arguments: JSON.stringify(parameters) }
    )))
  }

  /** Kills running processes, calls the cleanups, closes the session. @returns the errors of these steps */
  async end(): Promise<unknown[]> {
    const steps: TaskCleanup[] = [
      () => this.session?.close(), () => this.delegates?.end(), ...this.cleanups,
      () => this.hermes[Symbol.asyncDispose](),
    ]
    return cleanUp(this.id, steps)
  }
}

function sessionOptions(
  root: string, { options, part }: TaskMaking, { registry, mapped, ownVerbs, commands }: TaskVerbs, tracked: Tracked,
): ExecutorOptions {
  const { policy, sandbox, network, approve, ui, scheduler, allow, limits, waitMs, enabledToolsets, mapping } = options
  const { extensions, extensionUi, extensionLimitMs, extensionQuietMs, onExtensionWarning } = options
  const { changeTexts, beforeWrite, mcpServers, autoCommit = 'run' } = options
  const copied = part?.copy && asCopied(part.copy)
  return {
    root, relativePaths: true, registry, ownVerbs, delegates: tracked.delegates, refuse: part?.refuse,
    ...(part?.copy && { copyOf: part.copy.original, rootAliases: [part.copy.original], hooks: false }),
    policy, sandbox, network, approve, ui, scheduler, allow, limits, waitMs,
    // Only with `run` is each run a commit of its own.
    gitCommit: autoCommit === 'run' ? options.gitCommit : false,
    toolsets: enabledToolsets, mapping, mappedVerbs: mapping && mapped, extensions, extensionUi, extensionLimitMs,
    extensionQuietMs, onExtensionWarning, changeTexts, beforeWrite, mcpServers,
    unit: () => tracked.task?.unit, onWait: (who) => tracked.task?.onWait?.(who),
    onEvent: (event: HermesEvent) => tracked.tracker?.follow(event),
    onProgress: (work) => tracked.tracker?.progressed(work),
    onOutput: (output) => tracked.tracker?.printed(output),
    onPrepared: (prepared) => tracked.tracker?.rewritten(prepared),
    rewrite: (block: ParsedBlock) => {
      tracked.tracker?.announceBlock(block)
      // Commands are the one thing in which no gate reads paths: a model knows those of the original alone.
      return copied && commands.has(block.action.toLowerCase())
        ? { ...block, params: withTexts(block.params, copied) } : block
    },
  }
}
