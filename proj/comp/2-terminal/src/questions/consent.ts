import {
  answerOfYes, HermesError, type ApprovalAnswer, type ApprovalReply, type ApprovalRequest, type HermesOptions,
  type UserInterface,
} from '../../../0-contracts/src/index.js'
import type { TerminalUi } from './terminal-ui.js'

const BY_STDIN = ' while the text comes by standard input; give it as a file to be asked at the terminal'

export interface ConsentSource {
  /** At the terminal, where there is one. */
  user: TerminalUi | undefined
  /** Approvals are given, and what can be taken back is confirmed, without asking. */
  yes: boolean
  /** There is a user, who cannot be asked, since the terminal's input is taken. */
  isInUse: boolean
  signal: AbortSignal
}

/** Who answers when a run asks: the user, a yes given beforehand, or nobody. */
export function answeredBy({ user, yes, isInUse, signal }: ConsentSource): Pick<HermesOptions, 'approve' | 'ui'> {
  if (yes) return { approve: request => approvedBeforehand(request, user, signal), ui: saysYes(user) }
  if (user) return { approve: request => user.approve(request, signal), ui: user }
  return isInUse ? { ui: NOT_FROM_A_PIPE } : {}
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

/**
 * `--yes` approves what is asked for, but not that nothing contains a command (contract section 3 'commands'), and
 * opens no sandbox.
 */
async function approvedBeforehand(
  request: ApprovalRequest, user: TerminalUi | undefined, signal: AbortSignal,
): Promise<ApprovalAnswer | ApprovalReply> {
  const given = answerOfYes(request)
  if (given !== undefined) return given
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
