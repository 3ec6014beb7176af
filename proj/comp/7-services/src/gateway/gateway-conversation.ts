import { createHash } from 'node:crypto'
import type { Agent, AgentEvent, ChatOptions } from '../../../6-agent/src/index.js'
import type { InboundMessage } from './adapter.js'
import type { OpenTurn } from './open-turns.js'
import { HELP, messageCommand } from './message-command.js'
import { failureText, TurnNotes } from './turn.js'
import { TurnProgress, type ProgressMessage } from './turn-progress.js'

/** Messages that may wait in one conversation. */
const MOST_WAITING = 5
const BUSY = 'I am still working on your last message; this one comes next.'
const TOO_MANY = `I am still working, and ${MOST_WAITING} messages wait already: this one was not taken. Send it again \
later.`
const GAVE_UP = 'I was interrupted twice at your message and do not begin it again. Write "go on" if I shall.'
const NOTHING_RUNS = 'I am not working on anything.'
const NEW = 'A new conversation begins: I know nothing of what was said here before.'
const ENDING = 'The gateway is being shut down: this message was not worked on. Send it again later.'

export interface ConversationOptions {
  adapter: string
  id: string
  /** An agent whose approvals go to `refuse`. */
  createAgent: (refuse: TurnNotes['refuse']) => Agent
  send: (text: string) => Promise<void>
  /** Says how far a turn is. */
  progress?: (() => ProgressMessage) | undefined
  /** How often that is said, at most, in milliseconds. */
  progressMs: number
  /** Longest time of a turn, in milliseconds. */
  turnTimeMs: number
  /** Ends turns at once. */
  signal: AbortSignal
  onError: (error: unknown) => void
  /** Keeps what is not answered yet, in the place of what was kept before. */
  keep: (turn: Pick<OpenTurn, 'texts' | 'ids' | 'isBegun' | 'resumed'>) => void
  /** A message that was taken is not worked on: it may come again. */
  giveBack: (id: string) => void
}

/** `id` is `''` of one that an older gateway kept. */
type Waiting = Pick<InboundMessage, 'id' | 'text'>

/** One conversation: its messages are worked on one after another, in the order they came, in a session of its own. */
export class Conversation {
  readonly taskId: string
  readonly #options: ConversationOptions
  readonly #waiting: Waiting[] = []
  #current: Waiting | undefined
  #isToldFull = false
  #resumed = 0
  #notes = new TurnNotes()
  #stop = new AbortController()
  #agent: Agent | undefined
  #work: Promise<void> | undefined
  #isEnding = false

  constructor(options: ConversationOptions) {
    this.#options = options
    this.taskId = `gateway-${options.adapter}-${createHash('sha256').update(options.id).digest('hex').slice(0, 24)}`
  }

  get isIdle(): boolean {
    return this.#work === undefined
  }

  /**
   * Takes a message. What is to be said at once (busy, full) is said without waiting for the turn.
   *
   * @returns whether it was taken: then it is kept, and worked on also after the gateway was killed
   */
  take({ id, text }: Waiting): boolean {
    if (this.#isEnding) {
      void this.#say(ENDING)
      return false
    }
    const isBusy = this.#work !== undefined
    const command = messageCommand(text)
    // These are for what is now, and not for what comes next.
    if (command === 'help' || (command === 'stop' && !isBusy)) {
      void this.#say(command === 'help' ? HELP : NOTHING_RUNS)
      return true
    }
    if (command === 'stop') {
      this.#stop.abort()
      return true
    }
    if (isBusy && this.#waiting.length >= MOST_WAITING) {
      // Who sends again by itself is told once.
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

  /** Goes on with what a gateway that was killed had taken: the message it had begun is gone on with, once. */
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

  /** Takes no more, lets the turn that works go on to its end, and ends the agent. */
  async end(): Promise<void> {
    this.#isEnding = true
    for (const _ of this.#waiting) await this.#say(ENDING)
    // In this order: a gateway that is killed between these lines loses none.
    for (const { id } of this.#waiting) if (id !== '') this.#options.giveBack(id)
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
    this.#work = work.catch(this.#options.onError).finally(() => { this.#work = undefined })
  }

  /** @param resumed how often it was taken up before, this time included */
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
    this.#options.keep({
      texts: all.map(({ text }) => text), ids: all.map(({ id }) => id), isBegun, resumed: isBegun ? this.#resumed : 0,
    })
  }

  async #turn(text: string, isResumed: boolean): Promise<string> {
    const { createAgent, turnTimeMs, signal, onError, progress, progressMs } = this.#options
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
      await this.#options.send(text)
    } catch (error) {
      // The next message may get through.
      this.#options.onError(error)
    }
  }
}

/**
 * What the session has of the message is gone on with; where the process died before it had it, it is worked on now.
 */
async function* goOn(
  agent: Agent, text: string, options: ChatOptions & { taskId: string },
): AsyncGenerator<AgentEvent, void> {
  // What it was told with it (of an undo), or that it is part of a summary now, makes it no other message.
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
