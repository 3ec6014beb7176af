import { createHash } from 'node:crypto'
import type { Agent, AgentEvent, ChatOptions } from '../../../6-agent/src/index.js'
import type { InboundMessage } from './adapter.js'
import type { OpenTurn } from './open-turns.js'
import { failureText, TurnNotes } from './turn.js'
import { TurnProgress, type ProgressMessage } from './turn-progress.js'

/** Most messages that wait in one conversation. */
const MOST_WAITING = 5
const BUSY = 'I am still working on your last message; this one comes next.'
const TOO_MANY = `I am still working, and ${MOST_WAITING} messages wait already: this one was not taken. Send it again \
later.`
const GAVE_UP = 'I was interrupted twice at your message and do not begin it again. Write "go on" if I shall.'
const NOTHING_RUNS = 'I am not working on anything.'
const NEW = 'A new conversation begins: I know nothing of what was said here before.'
const ENDING = 'The gateway is being shut down: this message was not worked on. Send it again later.'
const HELP = [
  'Write what I shall do; what you write meanwhile comes next. Commands, alone in a message:',
  '/new   begin a new conversation: I forget this one',
  '/stop  end the answer I am working on',
  '/help  this',
].join('\n')

export interface ConversationOptions {
  adapter: string
  id: string
  /** Makes an agent whose approvals go to `refuse`. */
  createAgent: (refuse: TurnNotes['refuse']) => Agent
  send: (text: string) => Promise<void>
  /** Shows a turn's progress. */
  progress?: (() => ProgressMessage) | undefined
  /** Least time between two progress messages, in milliseconds. */
  progressMs: number
  /** Time limit of a turn, in milliseconds. */
  turnTimeMs: number
  /** Aborts turns at once. */
  signal: AbortSignal
  onError: (error: unknown) => void
  /** Stores the messages not answered yet, replacing what was stored before. */
  keep: (turn: Pick<OpenTurn, 'texts' | 'ids' | 'isBegun' | 'resumed'>) => void
  /** Called for an accepted message that will not be answered, so that it may be sent again. */
  giveBack: (id: string) => void
}

/** `id` is `''` for a message that an older gateway stored. */
type Waiting = Pick<InboundMessage, 'id' | 'text'>

/** What a message can ask of the gateway itself. */
type MessageCommand = 'new' | 'stop' | 'help'

/** One conversation: its messages are worked on one after another, in the order they came, in a session of its own. */
export class Conversation {
  readonly taskId: string
  readonly #waiting: Waiting[] = []
  #current: Waiting | undefined
  #isToldFull = false
  #resumed = 0
  #notes = new TurnNotes()
  #stop = new AbortController()
  #agent: Agent | undefined
  #work: Promise<void> | undefined
  #isEnding = false

  constructor(private readonly options: ConversationOptions) {
    this.taskId = `gateway-${options.adapter}-${createHash('sha256').update(options.id).digest('hex').slice(0, 24)}`
  }

  get isIdle(): boolean {
    return this.#work === undefined
  }

  /**
   * Takes a message. Immediate replies (busy, full) are sent without waiting for the turn.
   *
   * @returns whether it was accepted: then it is stored, and answered even after the gateway was killed
   */
  take({ id, text }: Waiting): boolean {
    if (this.#isEnding) {
      void this.#say(ENDING)
      return false
    }
    const isBusy = this.#work !== undefined
    const command = messageCommand(text)
    // These commands concern the present, so they do not wait.
    if (command === 'help' || (command === 'stop' && !isBusy)) {
      void this.#say(command === 'help' ? HELP : NOTHING_RUNS)
      return true
    }
    if (command === 'stop') {
      this.#stop.abort()
      return true
    }
    if (isBusy && this.#waiting.length >= MOST_WAITING) {
      // An automatic resender is told only once.
      if (!this.#isToldFull) void this.#say(TOO_MANY)
      this.#isToldFull = true
      return false
    }
    this.#keep({ id, text })
    this.#waiting.push({ id, text })
    this.#isToldFull = false
    if (isBusy) void this.#say(BUSY)
    else this.#begin(this.#workOff())
    return true
  }

  /** Continues what a killed gateway had accepted: a message it had started is resumed once. */
  takeUp({ texts, ids, isBegun, resumed }: OpenTurn): void {
    const all = texts.map((text, at): Waiting => ({ id: ids[at] ?? '', text }))
    const [first = { id: '', text: '' }, ...others] = all
    this.#waiting.push(...(isBegun ? others : all))
    this.#begin((async () => {
      if (isBegun && resumed > 0) await this.#say(GAVE_UP)
      else if (isBegun) await this.#answer(first, resumed + 1)
      await this.#workOff()
    })())
  }

  /** Accepts no more messages, lets the current turn finish, and ends the agent. */
  async end(): Promise<void> {
    this.#isEnding = true
    for (const _ of this.#waiting) await this.#say(ENDING)
    // In this order a gateway killed between these lines loses no message.
    for (const { id } of this.#waiting) if (id !== '') this.options.giveBack(id)
    this.#waiting.length = 0
    this.#keep()
    await this.#work
    const agent = this.#agent
    this.#agent = undefined
    await agent?.[Symbol.asyncDispose]()
  }

  async #workOff(): Promise<void> {
    while (!this.#isEnding) {
      const next = this.#waiting.shift()
      if (!next) return
      await this.#answer(next, 0)
    }
  }

  #begin(work: Promise<void>): void {
    this.#work = work.catch(this.options.onError).finally(() => { this.#work = undefined })
  }

  /** @param resumed how often it was resumed, including this time */
  async #answer(message: Waiting, resumed: number): Promise<void> {
    [this.#current, this.#resumed] = [message, resumed]
    this.#keep()
    await this.#say(await this.#turn(message.text, resumed > 0))
    this.#current = undefined
    this.#keep()
  }

  #keep(...more: Waiting[]): void {
    const isBegun = this.#current !== undefined
    const all = [...(this.#current ? [this.#current] : []), ...this.#waiting, ...more]
    this.options.keep({
      texts: all.map(({ text }) => text), ids: all.map(({ id }) => id), isBegun, resumed: isBegun ? this.#resumed : 0,
    })
  }

  async #turn(text: string, isResumed: boolean): Promise<string> {
    const { createAgent, turnTimeMs, signal, onError, progress, progressMs } = this.options
    this.#notes = new TurnNotes()
    this.#stop = new AbortController()
    const { signal: stop } = this.#stop
    const limit = AbortSignal.timeout(turnTimeMs)
    const why = (reason: EndReason): string => ended(reason, { isLate: limit.aborted, isStopped: stop.aborted })
    const told = progress && new TurnProgress(progress(), progressMs, onError)
    try {
      this.#agent ??= createAgent((request) => this.#notes.refuse(request))
      if (messageCommand(text) === 'new') {
        await this.#agent.clear(this.taskId)
        return NEW
      }
      let answer = ''
      const options = { taskId: this.taskId, signal: AbortSignal.any([signal, limit, stop]) }
      for await (const event of isResumed ? goOn(this.#agent, text, options) : this.#agent.run(text, options)) {
        this.#notes.see(event)
        told?.see(event)
        if (event.type !== 'end') continue
        answer = event.reason === 'answer' ? event.text
          : [event.text, why(event.reason)].filter((part) => part !== '').join('\n\n')
      }
      return this.#notes.added(answer === '' ? 'Done.' : answer)
    } catch (error) {
      onError(error)
      if (limit.aborted || signal.aborted || stop.aborted) return why('cancelled')
      return this.#notes.added(failureText(error))
    } finally {
      await told?.end()
    }
  }

  async #say(text: string): Promise<void> {
    try {
      await this.options.send(text)
    } catch (error) {
      // The next message may get through.
      this.options.onError(error)
    }
  }
}

/** `undefined` for a message to the agent: also one that only begins with a slash, such as a path. */
function messageCommand(text: string): MessageCommand | undefined {
  return /^\s*\/(new|stop|help)\s*$/i.exec(text)?.[1]?.toLowerCase() as MessageCommand | undefined
}

/**
 * What the session has of the message is gone on with; where the process died before it had it, it is worked on now.
 */
async function* goOn(
  agent: Agent, text: string, options: ChatOptions & { taskId: string },
): AsyncGenerator<AgentEvent, void> {
  // Compares the text only: notes added to it, or a summary that replaced it, do not make it another message.
  const isKnown = (await agent.messages(options.taskId)).some((message) => message.text === text)
  yield* isKnown ? agent.resume(options) : agent.run(text, options)
}

type EndReason = 'max_turns' | 'cancelled' | 'length' | 'loop'

function ended(reason: EndReason, { isLate, isStopped }: { isLate: boolean; isStopped: boolean }): string {
  if (reason === 'max_turns') {
    return '(I stopped: that was the greatest number of turns for one message. Write "go on" if I shall.)'
  }
  if (reason === 'loop') return '(I stopped: I made the same call again and again. Say what I shall do instead.)'
  if (reason === 'length') return '(My answer was cut off at its greatest length.)'
  if (isStopped) return '(I stopped, as you said.)'
  return isLate ? '(I stopped: it took longer than gateway.turn_time.)'
    : '(I was stopped: the gateway is being shut down.)'
}
