import type { ApprovalReply, ApprovalRequest, SandboxAccess } from '../../../0-contracts/src/index.js'
import { approvalLines } from '../../../1-reports/src/index.js'

/** `outside` is to be typed as a word: its first letter says `once` to every other question. */
const NAMES: Readonly<Record<SandboxAccess, string>> = { network: '[n]etwork', git: '[g]it', outside: 'outside' }
const LETTERS: Readonly<Record<string, SandboxAccess>> = { n: 'network', g: 'git' }
const REPLY = /^([a-z]+?)\s*(s|a|session|always)?$/

/** What each choice opens to a command that the sandbox stopped, and for how long. */
export function openingLines(request: ApprovalRequest, lasts: string): string {
  return [
    ...approvalLines(request).offers.map(({ access, opens }) => `${access}: ${opens}`),
    `Alone: once; with session: until ${lasts} ends; with always: from now on`,
    '(exactly this command, in command_allowlist of your ~/.hermes/config.yaml).',
  ].join('\n')
}

export function openingQuestion(offers: readonly SandboxAccess[]): string {
  const names = offers.map(access => NAMES[access]).join(' ')
  return `Open? ${names} (+ [s]ession, [a]lways) [d]eny (Enter: deny) `
}

export function openingHelp(offers: readonly SandboxAccess[]): string {
  const examples = offers.flatMap(access => [access, access === 'outside' ? 'outside session' : `${access[0]}s`])
  return `Type d, or what to open: ${examples.join(', ')}, ….`
}

/** The answer that a reply means; `nothing`: no more than a no. */
export function openingOf(
  reply: string, offers: readonly SandboxAccess[],
): ApprovalReply | 'deny' | 'nothing' | undefined {
  const typed = reply.toLowerCase()
  if (typed === '') return 'nothing'
  if (typed === 'd' || typed === 'deny') return 'deny'
  const [, name = '', length = ''] = REPLY.exec(typed) ?? []
  const access = offers.find(one => one === name || one === LETTERS[name])
  if (access === undefined) return undefined
  return { answer: length === '' ? 'once' : length.startsWith('s') ? 'session' : 'always', access }
}
