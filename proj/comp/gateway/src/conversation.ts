import { createHash } from 'node:crypto'
import type { Agent, AgentEvent, ChatOptions } from '../../agent/src/index.js'
import type { OpenTurn } from './open-turns.js'
import { failureText, TurnNotes } from './turn.js'

/** Messages that may wait in one conversation. */
const MOST_WAITING = 5
const BUSY = 'I am still working on your last message; this one comes next.'
const TOO_MANY = `I am still working, and ${MOST_WAITING} messages wait already: this one was not taken. Send it again later.`
const GAVE_UP = 'I was interrupted twice at your message and do not begin it again. Write "go on" if I shall.'
const ENDING = 'The gateway is being shut down: this message was not worked on. Send it again later.'

export interface ConversationOptions {
  adapter: string
  id: string
  /** An agent whose approvals go to `refuse`. */
  createAgent: (refuse: TurnNotes['refuse']) => Agent
  send: (text: string) => Promise<void>
  /** Longest time of a turn, in milliseconds. */
  turnTimeMs: number
  /** Ends turns at once. */
  signal: AbortSignal
  onError: (error: unknown) => void
  /** Keeps what is not answered yet, in the place of what was kept before. */
  keep: (turn: Pick<OpenTurn, 'texts' | 'isBegun' | 'resumed'>) => void
}

/** One conversation: its messages are worked on one after another, in the order they came, in a session of its own. */
export class Conversation {
  readonly taskId: string
  readonly #options: ConversationOptions
  readonly #waiting: string[] = []
  #current: string | undefined
  #resumed = 0
  #notes = new TurnNotes()
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

  /** Takes a message. What is to be said at once (busy, full) is said without waiting for the turn. */
  take(text: string): void {
    if (this.#isEnding) {
      void this.#say(ENDING)
    } else if (this.#work === undefined) {
      this.#waiting.push(text)
      this.#keep()
      this.#begin(this.#workOff())
    } else if (this.#waiting.length < MOST_WAITING) {
      this.#waiting.push(text)
      this.#keep()
      void this.#say(BUSY)
    } else void this.#say(TOO_MANY)
  }

  /** Goes on with what a gateway that was killed had taken: the message it had begun is gone on with, once. */
  takeUp({ texts, isBegun, resumed }: OpenTurn): void {
    const [first = '', ...others] = texts
    this.#waiting.push(...(isBegun ? others : texts))
    this.#begin((async () => {
      if (isBegun && resumed > 0) await this.#say(GAVE_UP)
      else if (isBegun) await this.#answer(first, resumed + 1)
      await this.#workOff()
    })())
  }

  /** Takes no more, lets the turn that works go on to its end, and ends the agent. */
  async end(): Promise<void> {
    this.#isEnding = true
    const untold = this.#waiting.splice(0)
    for (const _ of untold) await this.#say(ENDING)
    this.#keep()
    await this.#work
    const agent = this.#agent
    this.#agent = undefined
    await agent?.[Symbol.asyncDispose]()
  }

  async #workOff(): Promise<void> {
    for (let text = this.#waiting.shift(); text !== undefined; text = this.#waiting.shift()) await this.#answer(text, 0)
  }

  #begin(work: Promise<void>): void {
    this.#work = work.catch(this.#options.onError).finally(() => { this.#work = undefined })
  }

  /** @param resumed how often it was taken up before, this time included */
  async #answer(text: string, resumed: number): Promise<void> {
    [this.#current, this.#resumed] = [text, resumed]
    this.#keep()
    await this.#say(await this.#turn(text, resumed > 0))
    this.#current = undefined
    this.#keep()
  }

  #keep(): void {
    const isBegun = this.#current !== undefined
    this.#options.keep({
      texts: [...(this.#current === undefined ? [] : [this.#current]), ...this.#waiting], isBegun, resumed: isBegun ? this.#resumed : 0,
    })
  }

  async #turn(text: string, isResumed: boolean): Promise<string> {
    const { createAgent, turnTimeMs, signal, onError } = this.#options
    this.#notes = new TurnNotes()
    const limit = AbortSignal.timeout(turnTimeMs)
    try {
      this.#agent ??= createAgent((request) => this.#notes.refuse(request))
      let answer = ''
      const options = { taskId: this.taskId, signal: AbortSignal.any([signal, limit]) }
      for await (const event of isResumed ? goOn(this.#agent, text, options) : this.#agent.run(text, options)) {
        this.#notes.see(event)
        if (event.type !== 'end') continue
        answer = event.reason === 'answer' ? event.text : [event.text, ended(event.reason, limit.aborted)].filter((part) => part !== '').join('\n\n')
      }
      return this.#notes.added(answer === '' ? 'Done.' : answer)
    } catch (error) {
      onError(error)
      if (limit.aborted || signal.aborted) return ended('cancelled', limit.aborted)
      return this.#notes.added(failureText(error))
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

/** What the session has of the message is gone on with; where the process died before it had it, it is worked on now. */
async function* goOn(agent: Agent, text: string, options: ChatOptions & { taskId: string }): AsyncGenerator<AgentEvent, void> {
  const { messages } = await agent.task({ taskId: options.taskId })
  const isKnown = messages.some(({ role, content }) => role === 'user' && content === text)
  yield* isKnown ? agent.resume(options) : agent.run(text, options)
}

function ended(reason: 'max_turns' | 'cancelled' | 'length', isLate: boolean): string {
  if (reason === 'max_turns') return '(I stopped: that was the greatest number of turns for one message. Write "go on" if I shall.)'
  if (reason === 'length') return '(My answer was cut off at its greatest length.)'
  return isLate ? '(I stopped: it took longer than gateway.turn_time.)' : '(I was stopped: the gateway is being shut down.)'
}
