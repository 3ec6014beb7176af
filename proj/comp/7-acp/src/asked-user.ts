import {
  answerOfYes, HermesError, type ApprovalAnswer, type ApprovalReply, type ApprovalRequest, type Given,
} from '../../0-contracts/src/index.js'
import { escapeControls, fenced } from '../../0-text/src/index.js'
import { plural } from '../../1-reports/src/index.js'
import type { AgentOptions } from '../../6-agent/src/index.js'
import type { ClientPort } from './client-port.js'
import { approvalQuestion, choiceQuestion, yesNoQuestion, type Question } from './permission-question.js'

/** The call that a question is about, as the client knows it. */
export interface AskedCall {
  id: string
  title: string
  /** The question is over. @param isAnswered by one of its options */
  end(isAnswered: boolean): Promise<void>
}

/** What asking needs of the session it is for. */
export interface AskingSession {
  client: ClientPort
  /** Of the message that is being answered: when it has ended nobody answers. */
  signal(): AbortSignal
  /** Approvals are given without asking. */
  isAuto(): boolean
  /** The call that is asked about, once all that came before has been shown; one is made up where there is none. */
  callFor(action: string, title: string): Promise<AskedCall>
}

/** Answers of the client's user to what a run asks. */
export function askedUser(session: AskingSession): Given<AgentOptions, 'approve' | 'ui' | 'goOn'> {
  const ask = async <Answer>(action: string, asked: Question<Answer>): Promise<Answer | undefined> => {
    const signal = session.signal()
    const call = await session.callFor(action, asked.title)
    let answer: Answer | undefined
    try {
      answer = await answerOf(session.client, call, asked, signal)
    } finally {
      await call.end(answer !== undefined)
    }
    return answer
  }
  return {
    async approve(request): Promise<ApprovalAnswer | ApprovalReply> {
      const given = session.isAuto() ? answerOfYes(request) : undefined
      return given ?? await ask(request.action, approvalQuestion(request)) ?? noAnswer(request)
    },
    goOn: async (turns) => await ask('', yesNoQuestion(
      `${plural(turns, 'turn')} used`, `The model has used ${plural(turns, 'turn')} for this message. Go on?`, 'Go on',
      'Stop',
    )) ?? false,
    ui: {
      async ask({ question, options, defaultOption }, signal) {
        const { client } = session
        const text = `The model asks you:\n\n${fenced(escapeControls(question, true))}`
        const answer = options !== undefined && options.length > 0
          ? await ask('ask_user', choiceQuestion('ask_user', text, options))
          : client.capabilities.elicitation?.form
            ? await client.form(text, 'Your answer', defaultOption, signal) : undefined
        if (answer !== undefined) return answer
        throw new HermesError('NO_USER', 'ask_user: the user gave no answer, or the editor cannot ask for one', {
          hint: 'Decide yourself, and say what you assumed; or ask in your answer.',
        })
      },
      async confirm({ description, destructive }) {
        const warning = destructive ? '\n\nIt says that this cannot be taken back.' : ''
        const text = `The model asks you to confirm:\n\n${fenced(escapeControls(description, true))}${warning}`
        return await ask('confirm_action', yesNoQuestion('confirm_action', text, 'Agree', 'Do not')) ?? false
      },
    },
  }
}

/** @returns `undefined` where the client gave no answer to the question. @throws HermesError `CANCELLED` */
async function answerOf<Answer>(
  client: ClientPort, { id: toolCallId, title }: AskedCall, { content, options }: Question<Answer>, signal: AbortSignal,
): Promise<Answer | undefined> {
  try {
    const outcome = await client.permission(
      { toolCallId, title, status: 'pending', content }, options.map(({ option }) => option),
      signal,
    )
    requireGoingOn(signal)
    return outcome.outcome === 'selected'
      ? options.find(({ option }) => option.optionId === outcome.optionId)?.answer : undefined
  } catch (error) {
    requireGoingOn(signal)
    if (error instanceof HermesError || !(error instanceof Error)) throw error
    // The client refused to ask, or has left: that is no consent.
    return undefined
  }
}

function requireGoingOn(signal: AbortSignal): void {
  if (signal.aborted) throw new HermesError('CANCELLED', 'Cancelled while the user was asked', { hint: 'Nothing ran.' })
}

function noAnswer({ action }: ApprovalRequest): never {
  throw new HermesError('APPROVAL_DENIED', `${action}: the user was asked for an approval and gave no clear answer`, {
    hint: 'Nothing was done. Say in your answer what you want to do, and ask.',
  })
}
