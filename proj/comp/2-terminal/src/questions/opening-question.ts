import type { ApprovalQuestion, ApprovalReply, SandboxAccess } from '../../../0-contracts/src/index.js'
import { approvalLines } from '../../../1-reports/src/index.js'
import { shownOwnFile } from '../../../2-config/src/index.js'

/**
 * Words to type. Next to other offers, `outside` needs the whole word: its first letter means `once` in all other
 * questions, and would open everything by mistake. As the only offer, both are the same.
 */
const NAMES: Readonly<Record<SandboxAccess, string>> = {
  network: '[n]etwork', git: '[g]it', 'network+git': '[b]oth', outside: 'outside',
}
const TYPED: Readonly<Record<string, SandboxAccess>> = {
  n: 'network', network: 'network', g: 'git', git: 'git', b: 'network+git', both: 'network+git', outside: 'outside',
}
const REPLY = /^([a-z]+?)\s*(s|a|session|always)?$/

/** Explains what each choice opens to a command stopped by the sandbox, and for how long. */
export function openingLines(request: ApprovalQuestion, lasts: string): string {
  return [
    ...approvalLines(request).offers.map(({ access, opens }) => `${wordOf(access)}: ${opens}`),
    `Alone: once; with session: until ${lasts} ends; with always: from now on (exactly this command, in `
      + `command_allowlist of your ${shownOwnFile()}).`,
  ].join('\n')
}

export function openingQuestion(offers: readonly SandboxAccess[]): string {
  const names = offers.map(access => isAlone(offers) ? '[o]utside' : NAMES[access]).join(' ')
  return `Open? ${names} (+ [s]ession, [a]lways) [d]eny (Enter: deny) `
}

export function openingHelp(offers: readonly SandboxAccess[]): string {
  if (isAlone(offers)) return 'Type o to run it once without a sandbox, os for the session, oa for always, d for no.'
  const examples = offers.map(wordOf).flatMap(word => [word, word === 'outside' ? 'outside session' : `${word[0]}s`])
  const whole = offers.includes('outside') ? ' (outside only as a whole word)' : ''
  return `Type d, or what to open: ${examples.join(', ')}, …${whole}.`
}

function isAlone(offers: readonly SandboxAccess[]): boolean {
  return offers.length === 1 && offers[0] === 'outside'
}

/** Parses a reply; `nothing`: just a no. */
export function openingOf(
  reply: string, offers: readonly SandboxAccess[],
): ApprovalReply | 'deny' | 'nothing' | undefined {
  const typed = reply.toLowerCase()
  if (typed === '') return 'nothing'
  if (typed === 'd' || typed === 'deny') return 'deny'
  const [, name = '', length = ''] = REPLY.exec(typed) ?? []
  const wanted = Object.hasOwn(TYPED, name) ? TYPED[name] : name === 'o' && isAlone(offers) ? 'outside' : undefined
  const access = offers.find(offer => offer === wanted)
  if (access === undefined) return undefined
  return { answer: length === '' ? 'once' : length.startsWith('s') ? 'session' : 'always', access }
}

/** The whole word to type for an access. */
function wordOf(access: SandboxAccess): string {
  return NAMES[access].replace(/[[\]]/g, '')
}
