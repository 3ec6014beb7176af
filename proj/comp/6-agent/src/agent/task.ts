import { resolve } from 'node:path'
import type { HermesEvent, ParsedBlock } from '../../../0-contracts/src/index.js'
import { Hermes, type ExecutorOptions } from '../../../5-executor/src/index.js'
import type { CallTracker } from './call-tracker.js'
import { commitsRuns } from './commits-runs.js'
import { Conversation } from './conversation.js'
import { makeOffer, type Offer } from './offer.js'
import type { AgentOptions, CallStyle } from './loop-options.js'
import type { RecordedCall, Session } from './session/sessions.js'
import { cleanUp, type TaskCleanup } from './task-cleanups.js'
import { taskVerbs, type TaskVerbs } from './task-verbs.js'
import { TokenMeter } from './model/token-meter.js'

/** Who is told of what a session does. */
interface Tracked {
  tracker: CallTracker | undefined
  task: Task | undefined
}

/** All that belongs to one task: no other task shares any of it. */
export class Task {
  readonly id: string
  /** Absolute. */
  readonly root: string
  hermes: Hermes
  readonly conversation: Conversation
  readonly meter: TokenMeter
  readonly cleanups = new Set<TaskCleanup>()
  /** A message is being answered. */
  isBusy = false
  /** What its runs are made for: the message that is being answered. */
  unit: string | undefined
  /** Told of waits for another run in the root, while a message is being answered. */
  onWait: ((who: string) => void) | undefined
  #options: AgentOptions
  readonly #session: Session | undefined
  #verbs: TaskVerbs
  readonly #tracked: Tracked
  #offer: Promise<Offer> | undefined

  private constructor(
    id: string, root: string, hermes: Hermes, session: Session | undefined, options: AgentOptions, verbs: TaskVerbs,
    tracked: Tracked,
  ) {
    this.id = id
    this.root = root
    this.hermes = hermes
    this.#session = session
    this.#options = options
    this.#verbs = verbs
    this.#tracked = tracked
    tracked.task = this
    this.conversation = new Conversation(session)
    this.meter = new TokenMeter(options)
  }

  /** @throws HermesError `INVALID_OPTION`, `LOCKED` */
  static async open(id: string, root: string, options: AgentOptions): Promise<Task> {
    const tracked: Tracked = { tracker: undefined, task: undefined }
    const absolute = resolve(root)
    const verbs = await taskVerbs(options, absolute)
    const hermes = new Hermes(sessionOptions(root, options, verbs, tracked))
    try {
      const session = options.sessions
        ? await options.sessions.open(id, { model: options.model, root: absolute }) : undefined
      const task = new Task(id, absolute, hermes, session, options, verbs, tracked)
      await task.#runContextCalls(task.conversation.contextCalls)
      return task
    } catch (error) {
      await hermes[Symbol.asyncDispose]()
      throw error
    }
  }

  readonly track = (tracker: CallTracker | undefined): void => {
    this.#tracked.tracker = tracker
  }

  /** @throws HermesError `INVALID_OPTION` */
  offer(): Promise<Offer> {
    const offer = this.#offer ??= makeOffer(this.hermes, this.#options, this.#verbs)
    // A host that is not reached now may be later.
    offer.catch(() => {
      if (this.#offer === offer) this.#offer = undefined
    })
    return offer
  }

  get style(): CallStyle {
    return this.#options.style ?? 'native'
  }

  /** Asks for blocks from now on: with the verbs that go with them, in a session of their own. */
  async useBlocks(): Promise<void> {
    const options: AgentOptions = { ...this.#options, style: 'blocks' }
    const verbs = await taskVerbs(options, this.root)
    const before = this.hermes
    this.hermes = new Hermes(sessionOptions(this.root, options, verbs, this.#tracked))
    this.#options = options
    this.#verbs = verbs
    this.#offer = undefined
    await before[Symbol.asyncDispose]()
    await this.#runContextCalls(this.conversation.contextCalls)
  }

  /** Forgets the conversation, and the working context with it. */
  async clear(): Promise<void> {
    this.conversation.add({ type: 'replace', reason: 'cleared', messages: [] })
    await this.#runContextCalls([{ tool: 'context_clear', parameters: {} }])
  }

  /** A file that has gone since is not added. */
  async #runContextCalls(calls: readonly Pick<RecordedCall, 'tool' | 'parameters'>[]): Promise<void> {
    if (calls.length === 0) return
    await this.hermes.call(calls.map(({ tool, parameters }, index) => (
      { id: `context${index}`, name: tool, arguments: JSON.stringify(parameters) }
    )))
  }

  /** Kills what runs, calls the cleanups, closes the session. @returns what failed of it */
  async end(): Promise<unknown[]> {
    const steps: TaskCleanup[] = [
      () => this.#session?.close(), ...this.cleanups, () => this.hermes[Symbol.asyncDispose](),
    ]
    return cleanUp(this.id, steps)
  }
}

function sessionOptions(
  root: string, options: AgentOptions, { registry, mapped, ownVerbs }: TaskVerbs,
  tracked: Tracked,
): ExecutorOptions {
  const { policy, sandbox, network, approve, ui, scheduler, allow, limits, waitMs } = options
  const gitCommit = commitsRuns(options)
  const { enabledToolsets, mapping, extensions, extensionUi, extensionLimitMs, extensionQuietMs } = options
  return {
    root, relativePaths: true, registry, ownVerbs,
    ...(policy !== undefined && { policy }), ...(sandbox !== undefined && { sandbox }),
    ...(network !== undefined && { network }),
    ...(approve && { approve }), ...(ui && { ui }), ...(scheduler && { scheduler }), ...(allow && { allow }),
    ...(gitCommit !== undefined && { gitCommit }),
    ...(limits && { limits }), ...(waitMs !== undefined && { waitMs }),
    ...(enabledToolsets && { toolsets: enabledToolsets }), ...(mapping && { mapping, mappedVerbs: mapped }),
    ...(extensions && { extensions }), ...(extensionUi && { extensionUi }),
    ...(extensionLimitMs !== undefined && { extensionLimitMs }),
    ...(extensionQuietMs !== undefined && { extensionQuietMs }),
    unit: () => tracked.task?.unit, onWait: (who) => tracked.task?.onWait?.(who),
    onEvent: (event: HermesEvent) => tracked.tracker?.follow(event),
    onProgress: (work) => tracked.tracker?.progressed(work),
    onOutput: (output) => tracked.tracker?.printed(output),
    onPrepared: (prepared) => tracked.tracker?.rewritten(prepared),
    rewrite: (block: ParsedBlock) => {
      tracked.tracker?.announceBlock(block)
      return block
    },
  }
}
