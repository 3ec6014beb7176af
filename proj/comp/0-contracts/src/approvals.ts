/** What a session asks before something that needs consent. */
export interface ApprovalRequest {
  /** The verb. */
  action: string
  /** What it would do, and why that needs consent; one line. */
  reason: string
  /**
   * Why it is asked. `dangerous`: a command of a kind that does harm (`pattern`); `unsandboxed`: a command that nothing
   * would contain, for which a general yes given beforehand is no consent; `policy`: the user's policy says `ask`;
   * `hooks`: the project's `hermes.yaml` has commands of its own. Default `confirm`: the verb itself asks.
   */
  kind?: 'confirm' | 'dangerous' | 'unsandboxed' | 'policy' | 'hooks'
  /** The kind of dangerous command, as `command_allowlist` names it; of hooks the entry of `trusted_hooks`. */
  pattern?: string
  /** The command as the model wrote it; show it to the user in full, escaped. */
  command?: string
}

/**
 * `session` and `always` hold for requests of the same kind: of the same pattern for dangerous commands and hooks, else
 * of the same verb. `always` is stored for patterns only, and by whoever asked the user.
 */
export type ApprovalAnswer = 'once' | 'session' | 'always' | 'deny'

/** What a verb learns of it; `unavailable`: there is nobody to ask. */
export type Consent = 'granted' | 'denied' | 'unavailable'
