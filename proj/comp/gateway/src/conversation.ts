import { createHash } from 'node:crypto'
import type { Agent } from '../../agent/src/index.js'
import { failureText, TurnNotes } from './turn.js'

/** Messages that may wait in one conversation. */
const MOST_WAITING = 5
const BUSY = 'I am still working on your last message; this one comes next.'
const TOO_MANY = `I am still working, and ${MOST_WAITING} messages wait already: this one was not taken. Send it again later.`
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
}

/** One conversation: its messages are worked on one after another, in the order they came, in a session of its own. */
export class Conversation {
  readonly taskId: string
  readonly #options: ConversationOptions
  readonly #waiting: string[] = []
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
      this.#work = this.#workOff().finally(() => { this.#work = undefined })
    } else if (this.#waiting.length < MOST_WAITING) {
      this.#waiting.push(text)
      void this.#say(BUSY)
    } else void this.#say(TOO_MANY)
  }

  /** Takes no more, lets the turn that works go on to its end, and ends the agent. */
  async end(): Promise<void> {
    this.#isEnding = true
    for (const _ of this.#waiting.splice(0)) await this.#say(ENDING)
    await this.#work
    const agent = this.#agent
    this.#agent = undefined
    await agent?.[Symbol.asyncDispose]()
  }

  async #workOff(): Promise<void> {
    for (let text = this.#waiting.shift(); text !== undefined; text = this.#waiting.shift()) await this.#say(await this.#turn(text))
  }

  async #turn(text: string): Promise<string> {
    const { createAgent, turnTimeMs, signal, onError } = this.#options
    this.#notes = new TurnNotes()
    const limit = AbortSignal.timeout(turnTimeMs)
    try {
      this.#agent ??= createAgent((request) => this.#notes.refuse(request))
      let answer = ''
      for await (const event of this.#agent.run(text, { taskId: this.taskId, signal: AbortSignal.any([signal, limit]) })) {
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

function ended(reason: 'max_turns' | 'cancelled' | 'length', isLate: boolean): string {
  if (reason === 'max_turns') return '(I stopped: that was the greatest number of turns for one message. Write "go on" if I shall.)'
  if (reason === 'length') return '(My answer was cut off at its greatest length.)'
  return isLate ? '(I stopped: it took longer than gateway.turn_time.)' : '(I was stopped: the gateway is being shut down.)'
}
