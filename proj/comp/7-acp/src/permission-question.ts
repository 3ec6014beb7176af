import type { PermissionOption, ToolCallContent } from '@agentclientprotocol/sdk'
import type { ApprovalReply, ApprovalRequest } from '../../0-contracts/src/index.js'
import { approvalLines } from '../../1-reports/src/index.js'
import { escapeControls, fenced } from '../../0-text/src/index.js'
import { textContent } from './call-content.js'

/** A question to the user of the client, and what each option of it means. */
export interface Question<Answer> {
  title: string
  content: ToolCallContent[]
  options: { option: PermissionOption; answer: Answer }[]
}

type Choice<Answer> = [id: string, kind: PermissionOption['kind'], name: string, answer: Answer]

/** All of what would run or change, at any length, and for how long each answer holds. */
export function approvalQuestion(request: ApprovalRequest): Question<ApprovalReply> {
  const { action, reason, kind, command, diff } = request
  const { variables, place, offers } = approvalLines(request)
  const isEscalation = kind === 'escalation'
  const parts = [
    `${isEscalation ? 'The sandbox stopped a command, which can run again' : 'hermes needs your approval'}: ${
      plain(`${action}: ${reason}`)}`,
    ...(command === undefined ? [] : [fenced(escapeControls(command, true))]),
    ...(diff === undefined ? [] : ['It changes:', fenced(escapeControls(diff, true), 'diff')]),
    ...(variables === undefined ? [] : ['It sets variables:', fenced(escapeControls(variables, true))]),
    ...(place === undefined ? [] : [`It ${isEscalation ? 'ran' : 'runs'} ${plain(place)}`]),
    ...offers.map(({ access, opens }) => `- ${access}: ${opens}`),
  ]
  return question(action, parts.join('\n\n'), isEscalation ? openings(request) : consents(request))
}

/** Whether something is to be done. */
export function yesNoQuestion(title: string, text: string, yes: string, no: string): Question<boolean> {
  return question(title, text, [['yes', 'allow_once', yes, true], ['no', 'reject_once', no, false]])
}

/** Which of some texts; none of them is a consent to anything else. */
export function choiceQuestion(title: string, text: string, choices: readonly string[]): Question<string> {
  return question(title, text, choices.map((choice, at) => (
    [`choice-${at + 1}`, 'allow_once', escapeControls(choice), choice]
  )))
}

function consents(request: ApprovalRequest): Choice<ApprovalReply>[] {
  const { kinds, isStored, isAskedAgain } = approvalLines(request)
  const isHooks = [request, ...request.reasons ?? []].some((reason) => reason.kind === 'hooks')
  const exactly = isHooks ? 'these hooks as they are' : 'exactly this'
  return [
    ['once', 'allow_once', 'Allow once', { answer: 'once' }],
    ['session', 'allow_always', `Allow ${exactly} in this session`, { answer: 'session' }],
    [
      'kind', 'allow_always', `Allow every ${plain(kinds.join(', and every '))} in this session`,
      { answer: 'session', scope: 'kind' },
    ],
    ...(isStored ? [[
      'always', 'allow_always', `Always allow ${exactly} (stored in your config${
        isAskedAgain ? '; what else it is asked for, in this session' : ''})`, { answer: 'always' },
    ] satisfies Choice<ApprovalReply>] : []),
    ['deny', 'reject_once', 'Deny', { answer: 'deny' }],
  ]
}

/** Each answer names what it opens, and for how long. */
function openings({ offers = [] }: ApprovalRequest): Choice<ApprovalReply>[] {
  return [
    ...offers.flatMap((access): Choice<ApprovalReply>[] => [
      [`${access}-once`, 'allow_once', `Open ${access} once`, { answer: 'once', access }],
      [
        `${access}-session`, 'allow_always', `Open ${access} to this command in this session`,
        { answer: 'session', access },
      ],
      [
        `${access}-always`, 'allow_always', `Always open ${access} to this command (stored in your config)`,
        { answer: 'always', access },
      ],
    ]),
    ['deny', 'reject_once', 'Leave it', { answer: 'deny' }],
  ]
}

function question<Answer>(title: string, text: string, choices: readonly Choice<Answer>[]): Question<Answer> {
  return {
    title, content: [textContent(text)],
    options: choices.map(([optionId, kind, name, answer]) => ({ option: { optionId, kind, name }, answer })),
  }
}

/** Of a model's words one line, which no Markdown in it changes the look of. */
function plain(text: string): string {
  return escapeControls(text).replace(/[\\`*_[\]<>#|~]/g, '\\$&')
}
