import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import {
  answerOfYes, HermesError, isRecord, type ApprovalReply, type ApprovalQuestion, type UserInterface,
} from '../../0-contracts/src/index.js'
import { clip, escapeControls } from '../../0-text/src/index.js'
import { approvalLines } from '../../1-reports/src/index.js'
import { shownOwnFile } from '../../2-config/src/index.js'
import type { Ask } from './talks.js'

/** Longest text of a model that is shown, in UTF-16 units. */
const MOST_SHOWN = 4000

/** The user interface where a client cannot ask its user, so that the session still knows verbs that would ask. */
export const NO_USER: UserInterface = {
  ask: () => Promise.reject(nobody('ask_user')),
  confirm: () => Promise.reject(nobody('confirm_action')),
}

export interface ClientUserOptions {
  /** `undefined` if the client cannot ask its user. */
  ask: Ask | undefined
  /** Whether the user approved everything in advance (`--yes`). */
  yes: boolean
  /** Signal of the call: when it has ended, nobody answers. */
  signal: AbortSignal
  /** Whether an answer can be remembered for the session; not where different clients may share one. */
  remembers: boolean
}

/** Answers a run's questions: by the client's user through elicitation, by `--yes`, or not at all. */
export function clientUser({ ask: send, yes, remembers, signal }: ClientUserOptions): {
  approve?: (request: ApprovalQuestion) => Promise<ApprovalReply>
  ui?: UserInterface
} {
  if (!send && !yes) return {}
  const ask: Ask | undefined = send && (async (request) => {
    try {
      return await send(request)
    } catch (error) {
      if (signal.aborted || (error instanceof HermesError && error.code === 'CANCELLED')) throw error
      // An invalid or missing answer is a no.
      return undefined
    }
  })
  return {
    async approve(request) {
      const given = yes ? answerOfYes(request) : undefined
      if (given !== undefined) return { answer: given }
      if (ask) return askApproval(request, ask, remembers)
      throw new HermesError(
        'APPROVAL_DENIED', `${request.action}: no sandbox works here, and --yes does not stand for one`,
        { hint: 'Ask the user to start hermes mcp with --sandbox none, if nothing shall contain commands.' },
      )
    },
    ui: {
      async ask({ question, options, defaultOption }) {
        if (!ask) throw nobody('ask_user')
        const answer = await fill(ask, `The model asks you:\n${quoted(question)}`, 'answer', {
          type: 'string', title: 'Your answer', ...(options && { enum: [...options] }),
          ...(defaultOption !== undefined && { default: defaultOption }),
        })
        if (typeof answer === 'string') return answer
        throw nobody('ask_user')
      },
      async confirm({ description, destructive }) {
        if (yes && !destructive) return true
        if (!ask) throw nobody('confirm_action')
        const warning = destructive ? '\nIt says that this cannot be taken back.' : ''
        return await fill(ask, `The model asks you to confirm:\n${quoted(description)}${warning}`, 'agree', {
          type: 'boolean', title: 'Agree?', default: false,
        }) === true
      },
    },
  }
}

async function askApproval(request: ApprovalQuestion, ask: Ask, remembers: boolean): Promise<ApprovalReply> {
  const { action, reason, kind, command, diff } = request
  const { variables, place, kinds, isStored, isAskedAgain, offers } = approvalLines(request)
  const stores = isStored && kind !== 'hooks'
  const replies: Readonly<Record<string, ApprovalReply>> = kind === 'escalation' ? openings(request, remembers) : {
    once: { answer: 'once' },
    ...(remembers && { session: { answer: 'session' }, kind: { answer: 'session', scope: 'kind' } }),
    ...(stores && { always: { answer: 'always' } }),
    deny: { answer: 'deny' },
  }
  const message = [
    `hermes needs your approval: ${shown(action)}`, shown(reason), ...(command === undefined ? [] : [quoted(command)]),
    ...(diff === undefined ? [] : ['It changes:', quoted(diff)]),
    ...(variables === undefined ? [] : ['It sets variables:', quoted(variables)]),
    ...(place === undefined ? [] : [`It ${kind === 'escalation' ? 'ran' : 'runs'} ${shown(place)}`]),
    ...(offers.length > 0 ? ['It can run again:'] : []), ...offers.map(({ access, opens }) => `${access}: ${opens}`),
    ...(remembers && kind !== 'escalation'
      ? [`session: exactly this, until the session ends; kind: every ${shown(kinds.join(', and every '))}`] : []),
    ...(stores && kind !== 'escalation'
      ? [`always: exactly this, from now on (stored in command_allowlist of your ${shownOwnFile()})${
        isAskedAgain ? `; what else it is asked for, ${remembers ? 'as session' : 'once'}` : ''}`] : []),
  ].join('\n')
  const given = await fillAll(ask, message, {
    decision: { type: 'string', title: 'Allow?', enum: Object.keys(replies) },
    reason: { type: 'string', title: 'Where you deny it: why, for the model' },
  }, ['decision'])
  const decision = given['decision']
  const reply = typeof decision === 'string' && Object.hasOwn(replies, decision) ? replies[decision] : undefined
  const why = given['reason']
  if (reply && reply.answer !== 'deny') return reply
  return { answer: 'deny', ...(reply && typeof why === 'string' && { reason: why }) }
}

/** Possible answers when the sandbox stopped a command: each names the access and its duration. */
function openings({ offers = [] }: ApprovalQuestion, remembers: boolean): Record<string, ApprovalReply> {
  const named = offers.flatMap((access): [string, ApprovalReply][] => [
    [`${access}, once`, { answer: 'once', access }],
    [`${access}, this command always (stored in command_allowlist)`, { answer: 'always', access }],
  ])
  const forSession = remembers ? offers.map((access): [string, ApprovalReply] => (
    [`${access}, this command until the session ends`, { answer: 'session', access }]
  )) : []
  return Object.fromEntries([...named, ...forSession, ['deny', { answer: 'deny' }]])
}

type Field = ElicitRequestFormParams['requestedSchema']['properties'][string]

/** Asks for one field of a form. @returns its value; `undefined` if the user declined */
async function fill(ask: Ask, message: string, name: string, field: Field): Promise<unknown> {
  return (await fillAll(ask, message, { [name]: field }, [name]))[name]
}

/** @returns the form's values; empty if the user declined */
async function fillAll(
  ask: Ask, message: string, properties: Record<string, Field>, required: string[],
): Promise<Record<string, unknown>> {
  const answer = await ask({
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: { type: 'object', properties, required } },
  })
  return isRecord(answer) && answer['action'] === 'accept' && isRecord(answer['content']) ? answer['content'] : {}
}

function nobody(verb: string): HermesError {
  return new HermesError('NO_USER', `${verb}: there is no user to ask, or none who answers`, {
    hint: 'Decide yourself, and say what you assumed; or ask in your answer.',
  })
}

/** Prefixes every line of a model's text with a mark, so that it cannot be mistaken for hermes' own words. */
function quoted(text: string): string {
  const lines = shown(text, true).split('\n').map((line) => `> ${line}`)
  return text.length > MOST_SHOWN ? `${lines.join('\n')}\n(the beginning of ${text.length} characters)`
    : lines.join('\n')
}

function shown(text: string, keepsLines = false): string {
  return escapeControls(clip(text, MOST_SHOWN), keepsLines)
}
