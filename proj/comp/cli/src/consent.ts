import { HermesError, type HermesOptions, type UserInterface } from '../../contracts/src/index.js'
import { TerminalUi } from './terminal-ui.js'

export interface ConsentRequest {
  /** `--yes`: approvals are given, and what can be taken back is confirmed, without asking. */
  yes: boolean
  /** The text came from standard input, which therefore cannot be asked. */
  usesStdin: boolean
  signal: AbortSignal
}

/** Who answers when a run asks: the user at the terminal, `--yes`, or nobody. */
export function consentOptions({ yes, usesStdin, signal }: ConsentRequest): Pick<HermesOptions, 'approve' | 'ui'> {
  const user = usesStdin ? undefined : userAtTerminal()
  if (yes) return { approve: () => 'once', ui: saysYes(user) }
  return user ? { approve: request => user.approve(request, signal), ui: user } : {}
}

function userAtTerminal(): TerminalUi | undefined {
  const { stdin, stdout, stderr, env } = process
  if (!stdin.isTTY || !stderr.isTTY || isSet(env['CI'])) return undefined
  return new TerminalUi({ input: stdin, output: stderr, hasOpenLine: stdout.isTTY && env['TERM'] !== 'dumb' })
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value)
}

/** A yes given beforehand answers no question, and agrees to nothing that cannot be taken back. */
function saysYes(user: UserInterface | undefined): UserInterface {
  const nobody = (verb: string) => new HermesError('NO_USER', `${verb}: there is no user to ask`, {
    hint: 'The yes given beforehand does not answer this. Leave it, or describe it in your answer.',
  })
  return {
    async ask(question, signal) {
      if (!user) throw nobody('ask_user')
      return user.ask(question, signal)
    },
    async confirm(request, signal) {
      if (!request.destructive) return true
      if (!user) throw nobody('confirm_action')
      return user.confirm(request, signal)
    },
  }
}
