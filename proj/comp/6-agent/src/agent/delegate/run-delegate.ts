import {
  HermesError, type AnyVerb, type ApprovalAnswer, type ApprovalReply, type ApprovalRequest, type DelegateCall,
  type DelegateEnd, type DelegateOutcome, type DelegateProposal, type DelegateTask,
} from '../../../../0-contracts/src/index.js'
import { clip } from '../../../../0-text/src/index.js'
import { PausedClock } from '../../../../2-processes/src/index.js'
import { subjectOf } from '../../../../1-reports/src/index.js'
import type { AgentEvent, EndReason } from '../events.js'
import type { AgentOptions } from '../loop-options.js'
import type { LoopParts } from '../loop-parts.js'
import type { AgentPart, DelegateAgent, MakeDelegate } from './agent-part.js'
import { proposalOf } from './copy-changes.js'
import { delegateOptions, delegatePart } from './delegate-options.js'
import { asOriginal } from './shown-paths.js'
import { openWorkCopy } from './work-copy.js'

export interface DelegateOrder {
  task: DelegateTask
  name: string
  /** As it was given, and where it is. */
  given: string
  root: string
  /** Of the message for which it works. */
  parts: LoopParts
  verbs: readonly AnyVerb[]
  make: MakeDelegate
  /** One question after the other: several delegates may have one. */
  asking: <T>(ask: () => Promise<T>) => Promise<T>
  call: DelegateCall
}

const USUAL_TURNS = 15
const MOST_TOKENS = 500_000
const USUAL_SECONDS = 600
/** Of a line on what it is at. */
const MOST_LINE = 200

const LAST_TURN = 'Your budget ends with the next answer: write it in words, without calls. Say what you found or did, '
  + 'and what is left.'

/**
 * Runs a delegate to its end.
 *
 * @throws HermesError as `Delegates.run`
 */
export async function runDelegate(order: DelegateOrder): Promise<DelegateOutcome> {
  const { task, name, root, given, parts, call } = order
  const { options, budget } = parts
  const bounds = options.delegate === false ? {} : options.delegate ?? {}
  const mostTurns = Math.min(within(bounds.maxTurns, task.maxTurns, USUAL_TURNS), budget.leftTurns)
  const making = { task, options, model: parts.model, style: parts.style, root: given, verbs: order.verbs, mostTurns }
  // What is wrong with the call is told before anything is copied.
  delegatePart({ ...making, copy: undefined })
  if (task.mode === 'copy') call.printing?.(`${name}: copying the project`)
  const copy = task.mode === 'copy' ? await openWorkCopy(root, call, bounds) : undefined
  try {
    const shown = copy ? asOriginal(copy) : (text: string) => text
    const work = new DelegateWork(order, shown, {
      turns: mostTurns, tokens: Math.min(task.maxTokens ?? Infinity, leftTokens(parts)),
      seconds: Math.min(
        within(bounds.maxSeconds, task.maxSeconds, USUAL_SECONDS), call.limits.maxCommandTimeoutMs / 1000,
      ),
    })
    await work.run(delegateOptions({ ...making, copy }), delegatePart({ ...making, copy }))
    if (copy) call.printing?.(`${name}: comparing the copy`)
    const proposal = copy && await proposalOf(copy, call)
    return work.outcome(proposal, copy?.notes ?? [])
  } finally {
    await copy?.remove()
  }
}

/** What the model asks for, which gets no more than the library's bound; or that bound, where it says nothing. */
function within(bound: number | undefined, asked: number | undefined, usual: number): number {
  return Math.min(asked ?? bound ?? usual, bound ?? Infinity)
}

/** Of all delegates of a message. */
export function leftTokens({ options: { delegate }, budget }: LoopParts): number {
  const most = delegate === false ? 0 : delegate?.maxTokens ?? MOST_TOKENS
  return Math.max(0, most - budget.delegatedTokens)
}

/** One delegate at work. */
class DelegateWork {
  #turns = 0
  #tokens = 0
  #cost: number | undefined
  #answer = ''
  #ended: DelegateEnd = 'answer'
  /** Why it got no further turn. */
  #spent: 'turns' | 'tokens' = 'turns'
  #isLast = false

  constructor(
    private readonly order: DelegateOrder, private readonly shown: (text: string) => string,
    private readonly bounds: { turns: number; tokens: number; seconds: number },
  ) {}

  async run(options: AgentOptions, part: AgentPart): Promise<void> {
    const { parts: { budget, options: { approve } }, name, make, call, task } = this.order
    if (!budget.takeTurn()) throw nothingLeft('turns')
    const clock = new PausedClock(this.bounds.seconds * 1000)
    const over = new AbortController()
    clock.start(() => over.abort())
    const agent = make({
      ...options,
      // One turn at a time: each is taken from the message's when its own come to an end.
      maxTurns: 1, goOn: () => Promise.resolve(this.#takeTurn()),
      ...(approve && { approve: (request) => this.order.asking(() => clock.whilePaused(async () => (
        forSession(await approve(named(request, name)))
      ))) }),
    }, part)
    try {
      const signal = AbortSignal.any([call.signal, over.signal])
      await this.#follow(agent, this.bounds.turns === 1 ? `${task.task}\n\n${LAST_TURN}` : task.task, signal)
    } catch (error) {
      throw this.#inWords(error)
    } finally {
      clock.stop()
      await agent[Symbol.asyncDispose]()
    }
    if (call.signal.aborted) throw cancelled(name)
  }

  outcome(proposal: DelegateProposal | undefined, notes: readonly string[]): DelegateOutcome {
    return {
      name: this.order.name, answer: this.#answer, ended: this.#ended, turns: this.#turns, tokens: this.#tokens,
      ...(this.#cost !== undefined && { cost: this.#cost }), ...(proposal && { proposal }), notes,
    }
  }

  async #follow(agent: DelegateAgent, message: string, signal: AbortSignal): Promise<void> {
    const steer = (): string | undefined => (this.#isLast ? LAST_TURN : undefined)
    for await (const event of agent.run(message, { signal, steer })) this.#see(event)
  }

  #see(event: AgentEvent): void {
    const { parts: { meter, emit, budget }, root } = this.order
    if (event.type === 'turn_start') {
      this.#turns = event.turn
      this.#tell('thinking')
    } else if (event.type === 'call_start') {
      const subject = this.shown(subjectOf(event.parameters, [root]))
      this.#tell(`${event.tool}${subject === '' ? '' : ` ${subject}`}`)
    } else if (event.type === 'usage') {
      this.#tokens += event.input + event.output
      budget.delegatedTokens += event.input + event.output
      if (event.cost !== undefined) this.#cost = (this.#cost ?? 0) + event.cost
      emit(meter.add(event))
    } else if (event.type === 'retry') this.#tell(event.reason)
    else if (event.type === 'end') this.#end(event.reason, event.text)
  }

  #end(reason: EndReason, text: string): void {
    // A cancellation by whoever gave the task is thrown; by the clock it is the end of its time.
    const ends: Record<EndReason, DelegateEnd> = {
      answer: this.#isLast ? this.#spent : 'answer', length: 'length', loop: 'loop', max_turns: this.#spent,
      cancelled: 'time',
    }
    this.#ended = ends[reason]
    const said = this.shown(text)
    this.#answer = said.trim() === '' ? 'It said nothing.' : said
  }

  /** Whether it may give one more answer. */
  #takeTurn(): boolean {
    const { parts: { budget }, parts } = this.order
    const { turns, tokens } = this.bounds
    const isBeyond = this.#tokens >= tokens || leftTokens(parts) === 0
    // One more for the words, where the tokens were used up by an answer that had none.
    if (isBeyond) this.#spent = 'tokens'
    if (this.#isLast || this.#turns >= turns || !budget.takeTurn()) return false
    this.#isLast = isBeyond || this.#turns + 1 >= turns || budget.leftTurns === 0
    return true
  }

  #tell(what: string): void {
    const { name, call } = this.order
    call.printing?.(clip(`${name}: turn ${this.#turns} · ${what}`, MOST_LINE))
  }

  #inWords(error: unknown): unknown {
    if (this.order.call.signal.aborted) return cancelled(this.order.name)
    if (!(error instanceof HermesError)) return error
    return new HermesError(error.code, `delegate ${this.order.name}: ${this.shown(error.message)}`, {
      hint: `${error.hint === undefined ? '' : `${this.shown(error.hint)} `}Nothing of it is kept: give the task `
        + 'again, or do it yourself.',
      cause: error,
    })
  }
}

export function nothingLeft(what: 'turns' | 'tokens'): HermesError {
  return new HermesError('POLICY_DENIED', `delegate: no ${what} are left for a delegate in this message`, {
    hint: 'Do the task yourself, or answer with what there is: the next message of the user has its own.',
  })
}

function cancelled(name: string): HermesError {
  return new HermesError('CANCELLED', `delegate ${name}: cancelled (CANCELLED)`, {
    hint: 'Nothing of it is kept. Give the task again if it is still wanted.',
  })
}

/** The user is told who asks. What is kept of an answer would be of a directory that is gone soon. */
function named(request: ApprovalRequest, name: string): ApprovalRequest {
  const by = `delegate ${name}: `
  const shown: ApprovalRequest = {
    ...request, reason: by + request.reason,
    ...(request.reasons && { reasons: request.reasons.map((reason) => ({ ...reason, text: by + reason.text })) }),
  }
  delete shown.exact
  return shown
}

function forSession(given: ApprovalAnswer | ApprovalReply): ApprovalAnswer | ApprovalReply {
  if (typeof given === 'string') return given === 'always' ? 'session' : given
  return given.answer === 'always' ? { ...given, answer: 'session' } : given
}
