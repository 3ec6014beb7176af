import type { HermesOptions } from '../../../0-contracts/src/index.js'
import { answeredBy, TerminalUi, discardTyped } from '../../../2-terminal/src/index.js'
import { asideOfStatus } from './shown-status.js'
import { isPlain, isTerminal } from './output.js'

export interface ConsentRequest {
  /** `--yes`: approvals are given, and what can be taken back is confirmed, without asking. */
  yes: boolean
  /** The text came from standard input, which therefore cannot be asked. */
  usesStdin: boolean
  signal: AbortSignal
  /** How long `session` and, where nothing is stored, `always` hold. Default: this run. */
  lasts?: string
}

/** Who answers when a run asks: the user at the terminal, `--yes`, or nobody. */
export function consentOptions(
  { yes, usesStdin, signal, lasts }: ConsentRequest,
): Pick<HermesOptions, 'approve' | 'ui'> {
  const user = usesStdin ? undefined : userAtTerminal(lasts)
  return answeredBy({ user, yes, isInUse: usesStdin && isTerminal('stderr') && !isUnattended(), signal })
}

/** Who can be asked; nobody in CI, or where one of the streams is no terminal. */
export function userAtTerminal(lasts?: string): TerminalUi | undefined {
  if (isUnattended() || !isTerminal('stderr') || !isTerminal('stdin')) return undefined
  return new TerminalUi({
    input: process.stdin, output: process.stderr, discardTyped, aside: asideOfStatus, isPlain: isPlain(),
  }, lasts)
}

/** Continuous integration: a terminal there has nobody in front of it. */
export function isUnattended(): boolean {
  return !['', '0', 'false'].includes(process.env['CI'] ?? '')
}
