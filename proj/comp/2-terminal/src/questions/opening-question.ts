import type { ApprovalReply, ApprovalRequest, SandboxAccess } from '../../../0-contracts/src/index.js'
import { approvalLines } from '../../../1-reports/src/index.js'

/** `outside` is to be typed as a word: its first letter says `once` to every other question. */
const NAMES: Readonly<Record<SandboxAccess, string>> = {
  network: '[n]etwork', git: '[g]it', 'network+git': '[b]oth', outside: 'outside',
}
const TYPED: Readonly<Record<string, SandboxAccess>> = {
  n: 'network', network: 'network', g: 'git', git: 'git', b: 'network+git', both: 'network+git', outside: 'outside',
}
const REPLY = /^([a-z]+?)\s*(s|a|session|always)?$/

/** What each choice opens to a command that the sandbox stopped, and for how long. */
export function openingLines(request: ApprovalRequest, lasts: string): string {
  return [
    ...approvalLines(request).offers.map(({ access, opens }) => `${wordOf(access)}: ${opens}`),
    `Alone: once; with session: until ${lasts} ends; with always: from now on (exactly this command, in `
      + 'command_allowlist of your ~/.hermes/config.yaml).',
  ].join('\n')
}

export function openingQuestion(offers: readonly SandboxAccess[]): string {
  const names = offers.map(access => NAMES[access]).join(' ')
  return `Open? ${names} (+ [s]ession, [a]lways) [d]eny (Enter: deny) `
}

export function openingHelp(offers: readonly SandboxAccess[]): string {
  const examples = offers.map(wordOf).flatMap(word => [word, word === 'outside' ? 'outside session' : `${word[0]}s`])
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
  const access = Object.hasOwn(TYPED, name) ? offers.find(one => one === TYPED[name]) : undefined
  if (access === undefined) return undefined
  return { answer: length === '' ? 'once' : length.startsWith('s') ? 'session' : 'always', access }
}

/** The whole word that is typed for it. */
function wordOf(access: SandboxAccess): string {
  return NAMES[access].replace(/[[\]]/g, '')
}
