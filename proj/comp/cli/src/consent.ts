import {
  HermesError, type ApprovalAnswer, type ApprovalRequest, type HermesOptions, type UserInterface,
} from '../../contracts/src/index.js'
import { TerminalUi } from '../../terminal-ui/src/index.js'
import { discardTyped } from '../../line-editor/src/index.js'
import { isTerminal } from './output.js'

const BY_STDIN = ' while the text comes by standard input; give it as a file to be asked at the terminal'

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
  if (yes) return { approve: request => approvedBeforehand(request, user, signal), ui: saysYes(user) }
  if (user) return { approve: request => user.approve(request, signal), ui: user }
  return usesStdin && isTerminal('stderr') && !isUnattended() ? { ui: NOT_FROM_A_PIPE } : {}
}

function userAtTerminal(lasts: string | undefined): TerminalUi | undefined {
  if (isUnattended() || !isTerminal('stderr') || !isTerminal('stdin')) return undefined
  const hasOpenLine = isTerminal('stdout') && process.env['TERM'] !== 'dumb'
  return new TerminalUi({ input: process.stdin, output: process.stderr, discardTyped, hasOpenLine }, lasts)
}

/** Continuous integration: a terminal there has nobody in front of it. */
export function isUnattended(): boolean {
  return !['', '0', 'false'].includes(process.env['CI'] ?? '')
}

/** What a model can do instead. */
const INSTEAD = {
  ask_user: 'Decide yourself, and say what you assumed; or ask in your answer.',
  confirm_action: 'Take it as a no: leave it, or describe it in your answer.',
}

function nobody(verb: keyof typeof INSTEAD, why: string): HermesError {
  return new HermesError('NO_USER', `${verb}: there is no user to ask${why}`, { hint: INSTEAD[verb] })
}

/** There is a user, who cannot be asked: the answer itself comes by standard input. */
const NOT_FROM_A_PIPE: UserInterface = {
  ask: async () => Promise.reject(nobody('ask_user', BY_STDIN)),
  confirm: async () => Promise.reject(nobody('confirm_action', BY_STDIN)),
}

/** `--yes` approves what is asked for, but not that nothing contains a command (contract section 3 'commands'). */
async function approvedBeforehand(
  request: ApprovalRequest, user: TerminalUi | undefined, signal: AbortSignal,
): Promise<ApprovalAnswer> {
  if (request.kind !== 'unsandboxed') return 'once'
  if (user) return user.approve(request, signal)
  throw new HermesError(
    'APPROVAL_DENIED', `${request.action}: no sandbox works here, and --yes does not stand for one`,
    { hint: 'Ask the user to approve it at a terminal, or to say --sandbox none.' },
  )
}

/** A yes given beforehand answers no question, and agrees to nothing that cannot be taken back. */
function saysYes(user: UserInterface | undefined): UserInterface {
  return {
    async ask(question, signal) {
      if (!user) throw nobody('ask_user', ', and --yes answers no question')
      return user.ask(question, signal)
    },
    async confirm(request, signal) {
      if (!request.destructive) return true
      if (!user) throw nobody('confirm_action', ', and --yes confirms nothing that cannot be taken back')
      return user.confirm(request, signal)
    },
  }
}
