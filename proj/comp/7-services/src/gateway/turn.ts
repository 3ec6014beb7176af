import { approvalLines } from '../../../1-reports/src/index.js'
import { shownOwnFile } from '../../../2-config/src/index.js'
import type { AgentEvent } from '../../../6-agent/src/index.js'
import { HermesError, isRecord, type ApprovalRequest } from '../../../0-contracts/src/index.js'

/** Text in the system prompt of a conversation by messages. */
export const MESSAGING_PROMPT = 'You talk with the user by messages, and they see nothing but your answers. '
  + 'Nobody can approve anything by message: a command that needs an approval is blocked. When that happens say that '
  + 'it was blocked for safety, and what it would have done; do not try to reach the same in another way.'

/** Inside a sandbox, where nothing can become root. */
const SUDO_HELD = /\bsudo: .*(?:"no new privileges" flag|effective uid is not 0|must be owned by uid 0)/
const SUDO_FAILED = new RegExp([
  String.raw`\bsudo: (?:a password is required|a terminal is required|no tty present|\d+ incorrect password`,
  '|no password was provided)|is not in the sudoers file',
].join(''))

/** Collects what was refused in one turn, and other notes for the user. */
export class TurnNotes {
  readonly #notes = new Map<string, string>()

  /** Answers approvals: always no, with the reason. */
  readonly refuse = (request: ApprovalRequest): 'deny' => {
    // The command has run in its sandbox, so it was not blocked.
    if (request.kind === 'escalation') return 'deny'
    this.#notes.set(`${request.kind}:${request.pattern ?? request.action}:${request.command ?? ''}`, explained(request))
    return 'deny'
  }

  see(event: AgentEvent): void {
    if (event.type !== 'call_end' || event.result.success) return
    const output = outputOf(event.result.data)
    if (SUDO_FAILED.test(output)) {
      this.#notes.set('sudo', 'Tip: sudo wants a password, and nobody can type it here. '
        + `Add SUDO_PASSWORD to ${shownOwnFile('.env')} on the machine: sudo is given it, and nothing else. `
        + 'Or run the command there yourself.')
    } else if (SUDO_HELD.test(output)) {
      this.#notes.set('sudo', `Tip: in the sandbox nothing can become root. SUDO_PASSWORD in ${shownOwnFile('.env')} helps only `
        + 'where commands run without one (sandbox: none in your config). Or run the command on the machine yourself.')
    }
  }

  /** The answer, with the notes below it. */
  added(answer: string): string {
    return [answer, ...this.#notes.values()].filter((part) => part !== '').join('\n\n')
  }
}

function explained(request: ApprovalRequest): string {
  const { kind, pattern, reason, command, action } = request
  const { variables, place } = approvalLines(request)
  const what = command === undefined ? action : command.length > 1000 ? `${command.slice(0, 1000)}…` : command
  const instead = kind === 'dangerous' && pattern !== undefined
    ? `add ${JSON.stringify(pattern)} to command_allowlist (hermes config edit)`
    : kind === 'unsandboxed' ? 'set sandbox up (hermes doctor)' : 'change your policy (hermes config edit)'
  const lines = [what, variables === undefined ? '' : `with ${variables}`, place ?? ''].filter((line) => line !== '')
  const shown = lines.join('\n').replaceAll('\n', '\n    ')
  return `⚠ Blocked for safety: ${reason}\n    ${shown}\nIt cannot be approved by message. `
    + `On the machine itself, run it yourself, or ${instead}.`
}

function outputOf(data: unknown): string {
  return isRecord(data)
    ? [data['stdout'], data['stderr'], data['output']].filter((part) => typeof part === 'string').join('\n') : ''
}

/** The text for the user about a failed turn. */
export function failureText(error: unknown): string {
  if (!(error instanceof HermesError)) return 'Something went wrong inside of hermes. The log of the gateway has more.'
  return `That did not work: ${error.message} (${error.code})`
}
