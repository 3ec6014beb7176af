import {
  HermesError, type ApprovalAnswer, type ApprovalReply, type ApprovalRequest, type SandboxAccess, type UserInterface,
} from '../../0-contracts/src/index.js'
import { approvalLines } from '../../1-reports/src/index.js'
import type { Prompt } from './review-state.js'

type Wanted<T> = T extends Prompt ? Omit<T, 'id'> : never

/** What a page answers: a yes or no, a text, or what it opens to a command that the sandbox stopped. */
export type PromptAnswer = boolean | string | { answer: 'once' | 'session'; access: SandboxAccess }

interface Waiting {
  prompt: Prompt
  /** @throws HermesError for what is no answer to it */
  take: (answer: PromptAnswer) => void
}

/**
 * What a run asks its user, to be answered by a page. A page allows a thing for this run at most: `always` would change
 * the user's policy, which no page does.
 */
export class Prompts {
  readonly #waiting = new Map<string, Waiting>()
  #asked = 0

  constructor(private readonly onChange: (prompts: readonly Prompt[]) => void) {}

  /** @throws HermesError `CANCELLED` */
  async approve(
    request: ApprovalRequest, key: string | undefined, signal: AbortSignal,
  ): Promise<ApprovalAnswer | ApprovalReply> {
    const openings = request.kind === 'escalation' ? approvalLines(request).offers : undefined
    return this.#ask<ApprovalAnswer | ApprovalReply>({ kind: 'approval', request, openings, key }, signal, (answer) => {
      if (answer === 'deny') return answer
      if (openings) {
        if (typeof answer === 'object' && openings.some(({ access }) => access === answer.access)) return answer
        throw noAnswer('deny, or one of what is offered')
      }
      // The page says that it allows all like it.
      if (answer === 'session') return { answer, scope: 'kind' }
      if (answer === 'once') return answer
      throw noAnswer('once, session or deny')
    })
  }

  /** The port of `ask_user` and `confirm_action`. @param keyNow the block that runs */
  userInterface(keyNow: () => string | undefined): UserInterface {
    return {
      ask: async ({ question, options, defaultOption }, signal) => this.#ask(
        { kind: 'question', question, options, defaultOption, key: keyNow() }, signal,
        (answer) => {
          if (typeof answer === 'string' && (!options || options.includes(answer))) return answer
          throw noAnswer(options ? `one of ${options.join(', ')}` : 'a text')
        },
      ),
      confirm: async ({ description, destructive }, signal) => this.#ask(
        { kind: 'confirmation', description, destructive, key: keyNow() }, signal,
        (answer) => {
          if (typeof answer === 'boolean') return answer
          throw noAnswer('true or false')
        },
      ),
    }
  }

  /** The first answer counts. @throws HermesError `INVALID_PARAMETER` */
  answer(id: string, answer: PromptAnswer): void {
    const waiting = this.#waiting.get(id)
    if (!waiting) throw new HermesError(
      'INVALID_PARAMETER', 'This question is not asked any more',
      { hint: 'It was answered elsewhere, or the run has ended.' },
    )
    waiting.take(answer)
  }

  #ask<Answer>(
    prompt: Wanted<Prompt>, signal: AbortSignal, read: (answer: PromptAnswer) => Answer,
  ): Promise<Answer> {
    const id = String(++this.#asked)
    return new Promise((resolve, reject) => {
      const end = (): void => {
        signal.removeEventListener('abort', cancel)
        this.#waiting.delete(id)
        this.#tell()
      }
      const cancel = (): void => {
        end()
        reject(new HermesError('CANCELLED', 'The user cancelled the run', { hint: 'Run the block again.' }))
      }
      if (signal.aborted) {
        cancel()
        return
      }
      signal.addEventListener('abort', cancel)
      const take = (given: PromptAnswer): void => {
        const answer = read(given)
        end()
        resolve(answer)
      }
      this.#waiting.set(id, { prompt: { ...prompt, id }, take })
      this.#tell()
    })
  }

  #tell(): void {
    this.onChange([...this.#waiting.values()].map(({ prompt }) => prompt))
  }
}

function noAnswer(wanted: string): HermesError {
  return new HermesError('INVALID_PARAMETER', `The answer has to be ${wanted}`, { hint: 'Reload the page.' })
}
