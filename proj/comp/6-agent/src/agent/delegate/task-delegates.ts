import {
  HermesError, type AnyVerb, type DelegateCall, type DelegateOutcome, type DelegateProposal, type Delegates,
  type DelegateTask,
} from '../../../../0-contracts/src/index.js'
import type { LoopParts } from '../loop-parts.js'
import type { MakeDelegate } from './agent-part.js'

/** Delegates at work at once; others wait. */
const MOST_AT_ONCE = 3
/** Proposals that are kept, and their bytes: the oldest goes first. */
const MOST_PROPOSALS = 10
const MOST_BYTES = 64 * 1024 * 1024

/** What the delegates of a task are made with. */
export interface DelegatesPlace {
  make: MakeDelegate
  /** The root as it was given, where it is, and the verbs that the model of the task may call. */
  place: () => Promise<{ given: string; root: string; verbs: readonly AnyVerb[] }>
}

/** The delegates of one task: who works, and what waits for being accepted. */
export class TaskDelegates implements Delegates {
  /** Of the message that is being answered. */
  parts: LoopParts | undefined
  readonly #proposals = new Map<string, DelegateProposal>()
  readonly #running = new Map<string, Promise<unknown>>()
  readonly #waiting: (() => void)[] = []
  readonly #ended = new AbortController()
  #atWork = 0
  #count = 0
  #asked: Promise<unknown> = Promise.resolve()

  constructor(private readonly place: DelegatesPlace) {}

  get proposals(): readonly string[] {
    return [...this.#proposals.keys()]
  }

  proposal(name: string): DelegateProposal | undefined {
    return this.#proposals.get(name)
  }

  async run(task: DelegateTask, call: DelegateCall): Promise<DelegateOutcome> {
    const { parts } = this
    if (!parts) throw new HermesError('INTERNAL', 'delegate: no message is being answered')
    const name = this.#nameFor(task)
    const signal = AbortSignal.any([call.signal, this.#ended.signal])
    // What another of that name did before is no part of what this one's result lists.
    this.#proposals.delete(name)
    // What is used of it, without what else a verb has.
    const { gate, files, limits, printing } = call
    const work = this.#work(task, name, parts, { gate, files, limits, printing, signal })
    const settled = work.catch(() => undefined)
    this.#running.set(name, settled)
    try {
      return await work
    } finally {
      this.#running.delete(name)
    }
  }

  /** The conversation begins anew. */
  forget(): void {
    this.#proposals.clear()
  }

  /** Ends those at work, and waits until their copies are gone. */
  async end(): Promise<void> {
    this.#ended.abort()
    await Promise.all(this.#running.values())
  }

  async #work(
    task: DelegateTask, name: string, parts: LoopParts, call: DelegateCall,
  ): Promise<DelegateOutcome> {
    const { runDelegate, leftTokens, nothingLeft } = await import('./run-delegate.js')
    await this.#turnToWork(name, call)
    try {
      if (parts.budget.leftTurns === 0) throw nothingLeft('turns')
      if (leftTokens(parts) === 0) throw nothingLeft('tokens')
      const { make, place } = this.place
      const outcome = await runDelegate({
        ...await place(), task, name, parts, make, call, asking: (ask) => this.#ask(ask),
      })
      if (outcome.proposal && outcome.proposal.changes.length > 0) this.#keep(name, outcome.proposal)
      return outcome
    } finally {
      this.#atWork--
      this.#waiting.shift()?.()
    }
  }

  /** @throws HermesError `INVALID_PARAMETER` */
  #nameFor({ name }: DelegateTask): string {
    if (name !== undefined) {
      if (!this.#running.has(name)) return name
      throw new HermesError('INVALID_PARAMETER', `delegate: another delegate is called ${name}, and is at work`, {
        hint: 'Give each its own name, or none.',
      })
    }
    for (;;) {
      const next = `delegate-${++this.#count}`
      if (!this.#running.has(next) && !this.#proposals.has(next)) return next
    }
  }

  async #turnToWork(name: string, { signal, printing }: DelegateCall): Promise<void> {
    while (this.#atWork >= MOST_AT_ONCE && !signal.aborted) {
      printing?.(`${name}: waiting for others`)
      await this.#slot(signal)
    }
    if (signal.aborted) {
      // A slot that was meant for this one is for the next.
      if (this.#atWork < MOST_AT_ONCE) this.#waiting.shift()?.()
      throw new HermesError('CANCELLED', `delegate ${name}: cancelled before it began (CANCELLED)`, {
        hint: 'Give the task again if it is still wanted.',
      })
    }
    this.#atWork++
  }

  /** Resolves when one may be free, or at the abort. */
  async #slot(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve)
      signal.addEventListener('abort', () => {
        const at = this.#waiting.indexOf(resolve)
        if (at >= 0) this.#waiting.splice(at, 1)
        resolve()
      }, { once: true })
    })
  }

  async #ask<T>(ask: () => Promise<T>): Promise<T> {
    const answer = this.#asked.then(ask)
    this.#asked = answer.catch(() => undefined)
    return answer
  }

  #keep(name: string, proposal: DelegateProposal): void {
    this.#proposals.delete(name)
    this.#proposals.set(name, proposal)
    for (const [oldest] of this.#proposals) {
      if (oldest === name || (this.#proposals.size <= MOST_PROPOSALS && this.#bytes() <= MOST_BYTES)) return
      this.#proposals.delete(oldest)
    }
  }

  #bytes(): number {
    return [...this.#proposals.values()].flatMap(({ changes }) => changes)
      .reduce((sum, { content }) => sum + (content?.length ?? 0), 0)
  }
}
