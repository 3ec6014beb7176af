import type { SandboxName } from './sandbox-name.js'

/**
 * Why an approval is asked for. `dangerous`: the command is of a harmful kind; `unsandboxed`: nothing would contain the
 * command, and a yes given beforehand (`--yes`) does not cover that; `policy`: the user's policy says `ask`; `hooks`:
 * the project's `hermes.yaml` has commands of its own; `confirm`: the verb itself asks; `escalation`: the sandbox
 * stopped a command, which can run once more with one of the `offers`; only an answer that names the offer grants it.
 */
export type ApprovalKind = 'confirm' | 'dangerous' | 'unsandboxed' | 'policy' | 'hooks' | 'escalation'

/**
 * What can be opened to a command beyond its sandbox. `network`: the machine's network; `git`: git's own files of the
 * repository it runs in, except those that make git run programs; `network+git`: both; `outside`: everything that the
 * user may do.
 */
export type SandboxAccess = (typeof SANDBOX_ACCESS)[number]

export const SANDBOX_ACCESS = ['network', 'git', 'network+git', 'outside'] as const

/** Whether an access includes this part. */
export function opensPart(access: SandboxAccess | undefined, part: 'network' | 'git'): boolean {
  return access === part || access === 'network+git'
}

/** Why a call needs an approval: a request to `approve` has one or more. */
export interface ApprovalReason {
  kind: ApprovalKind
  /** Name of the dangerous pattern, as in `command_allowlist`; for hooks, the entry of `trusted_hooks`. */
  pattern?: string
  /** The reason in one line of prose. */
  text: string
}

/** A variable that the call sets for its command. */
export interface ApprovalVariable {
  name: string
  /** Ready to show: the value of a secret is masked. */
  value: string
  /**
   * The variable decides which code runs (`BASH_ENV`, `LD_PRELOAD`, `PATH`, …); others only pass data to the command.
   */
  changesWhatRuns?: true
}

/** An approval question as a verb asks it; the session completes it to an `ApprovalRequest`. */
export interface ApprovalQuestion {
  /** Name of the verb. */
  action: string
  /** What the verb would do, and why that needs approval: all reasons in one line. */
  reason: string
  /** The gravest of the reasons: `unsandboxed` before `dangerous` before all others. Default `confirm`. */
  kind?: ApprovalKind
  /** As in `ApprovalReason`; with several reasons, the first one's. */
  pattern?: string
  /** Each reason on its own, where there are several. */
  reasons?: readonly ApprovalReason[]
  /** The command as the model wrote it; show it to the user in full, escaped. */
  command?: string
  /** Variables that the call sets for the command; show these too. */
  variables?: readonly ApprovalVariable[]
  /** Working directory of the command; absolute. */
  directory?: string
  /** The sandbox that would contain the command; `none`: nothing does. */
  sandbox?: SandboxName
  /** The command reaches the network. */
  network?: boolean
  /** The only hosts of the network that the command reaches. */
  hosts?: readonly string[]
  /** What an earlier answer, kept since, opens to the command. */
  access?: SandboxAccess
  /**
   * For an `escalation`: what can be opened to the command for one more run. A reply has to name one of these as
   * `access`; any other answer opens nothing.
   */
  offers?: readonly SandboxAccess[]
  /** Files that a write or a deletion would change; absolute paths. */
  paths?: readonly string[]
  /** Unified diff of what a write or a deletion would change. */
  diff?: string
  /**
   * The call as one entry of `command_allowlist`: verb, language, root, directory, variables and command. The answers
   * `session` and `always` cover exactly this call.
   */
  exact?: string
}

/** What a session passes to the `approve` callback before it does something that needs approval. */
export interface ApprovalRequest extends ApprovalQuestion {
  kind: ApprovalKind
  /** Each reason by itself; at least one. */
  reasons: readonly ApprovalReason[]
}

/** `always` is stored by the session, and only for dangerous commands, hooks and escalations. */
export type ApprovalAnswer = 'once' | 'session' | 'always' | 'deny'

/** An answer with details. */
export interface ApprovalReply {
  answer: ApprovalAnswer
  /**
   * What an answer for the session covers. `kind`: all requests of the same kind (the same pattern, else the same
   * verb); use it only where the user was shown that. Default: exactly this request.
   */
  scope?: 'exact' | 'kind' | undefined
  /** For an `escalation`: the chosen one of its `offers`. Set it only where the user chose exactly that. */
  access?: SandboxAccess | undefined
  /** Why it is denied, for the model. */
  reason?: string | undefined
}

/** The answer that a verb gets; `unavailable`: there is nobody to ask. A denial with a reason is thrown instead. */
export type Consent = 'granted' | 'denied' | 'unavailable'

/** The answer to an `escalation`; `undefined`: nobody could be asked. */
export type AccessAnswer = { access: SandboxAccess } | { denied: string | undefined } | undefined

/** How a command gets more than its sandbox allows. */
export interface WiderAccess {
  /** Whether an answer kept for the session, or a stored one, has this entry of `command_allowlist`. */
  has(entry: string): boolean
  /** @param entryOf the entry of `command_allowlist` under which an answer for longer than once is kept */
  ask(request: ApprovalQuestion, entryOf: (access: SandboxAccess) => string): Promise<AccessAnswer>
}

const COVERED: ReadonlySet<ApprovalKind> = new Set(['confirm', 'dangerous', 'policy', 'hooks'])

/**
 * What a general yes given beforehand (`--yes`) answers; `undefined`: it covers not all of the reasons, and the user
 * has to be asked. It never widens a sandbox: an escalation is denied without asking, and the command's failure stays.
 */
export function answerOfYes({ kind = 'confirm', reasons = [] }: ApprovalQuestion): 'once' | 'deny' | undefined {
  if (kind === 'escalation') return 'deny'
  return [kind, ...reasons.map((reason) => reason.kind)].every((reason) => COVERED.has(reason)) ? 'once' : undefined
}
