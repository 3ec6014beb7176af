import {
  answerOfYes, HermesError, type ApprovalAnswer, type ApprovalQuestion, type ApprovalReply, type HermesOptions,
  type UserInterface,
} from '../../../0-contracts/src/index.js'
import type { TerminalUi } from './terminal-ui.js'

const BY_STDIN = ' while the text comes by standard input; give it as a file to be asked at the terminal'

export interface ConsentSource {
  /** The user at a terminal, if there is one. */
  user: TerminalUi | undefined
  /** Approve without asking, and confirm what can be undone. */
  yes: boolean
  /** There is a user who cannot be asked, since standard input is in use. */
  isInUse: boolean
  signal: AbortSignal
}

/** Handlers for a run's questions: the user, a yes given beforehand, or nobody. */
export function answeredBy({ user, yes, isInUse, signal }: ConsentSource): Pick<HermesOptions, 'approve' | 'ui'> {
  if (yes) return { approve: request => approvedBeforehand(request, user, signal), ui: saysYes(user) }
  if (user) return { approve: request => user.approve(request, signal), ui: user }
  return isInUse ? { ui: NOT_FROM_A_PIPE } : {}
}

/** Hints for the model. */
const INSTEAD = {
  ask_user: 'Decide yourself, and say what you assumed; or ask in your answer.',
  confirm_action: 'Take it as a no: leave it, or describe it in your answer.',
}

function nobody(verb: keyof typeof INSTEAD, why: string): HermesError {
  return new HermesError('NO_USER', `${verb}: there is no user to ask${why}`, { hint: INSTEAD[verb] })
}

/** There is a user who cannot be asked: the answer itself comes by standard input. */
const NOT_FROM_A_PIPE: UserInterface = {
  ask: async () => Promise.reject(nobody('ask_user', BY_STDIN)),
  confirm: async () => Promise.reject(nobody('confirm_action', BY_STDIN)),
}

/** `--yes` approves requests, except running a command without any sandbox, and never widens a sandbox. */
async function approvedBeforehand(
  request: ApprovalQuestion, user: TerminalUi | undefined, signal: AbortSignal,
): Promise<ApprovalAnswer | ApprovalReply> {
  const given = answerOfYes(request)
  if (given !== undefined) return given
  if (user) return user.approve(request, signal)
  throw new HermesError(
    'APPROVAL_DENIED', `${request.action}: no sandbox works here, and --yes does not stand for one`,
    { hint: 'Ask the user to approve it at a terminal, or to say --sandbox none.' },
  )
}

/** A yes given beforehand answers no other questions, and confirms nothing that cannot be undone. */
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
