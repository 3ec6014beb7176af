import type { SandboxName } from './sandbox-name.js'

/**
 * Why it is asked. `dangerous`: a command of a kind that does harm; `unsandboxed`: a command that nothing would
 * contain, for which a general yes given beforehand is no consent; `policy`: the user's policy says `ask`; `hooks`: the
 * project's `hermes.yaml` has commands of its own; `confirm`: the verb itself asks; `escalation`: the sandbox stopped a
 * command that has run, and it can run once more with one of the `offers`. No answer gives that but one which names
 * it.
 */
export type ApprovalKind = 'confirm' | 'dangerous' | 'unsandboxed' | 'policy' | 'hooks' | 'escalation'

/**
 * What can be opened to a command beyond the sandbox it has. `network`: the machine's network; `git`: git's own files
 * of the repository it runs in, without what makes git run programs; `network+git`: both; `outside`: all that the user
 * may do.
 */
export type SandboxAccess = (typeof SANDBOX_ACCESS)[number]

export const SANDBOX_ACCESS = ['network', 'git', 'network+git', 'outside'] as const

/** Whether an access opens one thing and keeps the rest closed. */
export function opensPart(access: SandboxAccess | undefined, part: 'network' | 'git'): boolean {
  return access === part || access === 'network+git'
}

export interface ApprovalReason {
  kind: ApprovalKind
  /** The kind of dangerous command, as `command_allowlist` names it; of hooks the entry of `trusted_hooks`. */
  pattern?: string
  /** One line. */
  text: string
}

/** A variable that the call sets for its command. */
export interface ApprovalVariable {
  name: string
  /** As it may be shown: that of a secret is masked. */
  value: string
  /** It decides what runs (`BASH_ENV`, `LD_PRELOAD`, `PATH`, …), and not only what the command is told. */
  changesWhatRuns?: true
}

/** What a session asks before something that needs consent. */
export interface ApprovalRequest {
  /** The verb. */
  action: string
  /** What it would do, and why that needs consent: all reasons in one line. */
  reason: string
  /** Of several reasons the one that weighs most: `unsandboxed` before `dangerous` before others. Default `confirm`. */
  kind?: ApprovalKind
  /** As of `ApprovalReason`; of several the first. */
  pattern?: string
  /** Each reason by itself, where there are several. */
  reasons?: readonly ApprovalReason[]
  /** The command as the model wrote it; show it to the user in full, escaped. */
  command?: string
  /** What the call sets for the command; show these too. */
  variables?: readonly ApprovalVariable[]
  /** Where the command runs; absolute. */
  directory?: string
  /** What holds the command; `none`: nothing. */
  sandbox?: SandboxName
  /** The command reaches the network. */
  network?: boolean
  /** What an answer kept before opens to the command. */
  access?: SandboxAccess
  /**
   * Of an `escalation`: what can be opened to the command for one more run. A reply has to name one of these as
   * `access`; whatever else is answered opens nothing.
   */
  offers?: readonly SandboxAccess[]
  /** What a write or a deletion would change. */
  diff?: string
  /**
   * The call as `command_allowlist` keeps it: verb, language, root, directory, variables and command. `session` and
   * `always` hold for exactly this.
   */
  exact?: string
}

/** `always` is stored for dangerous commands, hooks and escalations only, and by the session. */
export type ApprovalAnswer = 'once' | 'session' | 'always' | 'deny'

/** An answer with more to say. */
export interface ApprovalReply {
  answer: ApprovalAnswer
  /**
   * `kind`: an answer for the session holds for all requests of the same kind (the same pattern, else the same verb);
   * only where the user was shown that. Default: for exactly what was asked.
   */
  scope?: 'exact' | 'kind'
  /** Of an `escalation`: which of its `offers`. Only where the user chose just that. */
  access?: SandboxAccess
  /** Why it is denied, for the model. */
  reason?: string
}

/** What a verb learns of it; `unavailable`: there is nobody to ask. A denial with a reason is thrown instead. */
export type Consent = 'granted' | 'denied' | 'unavailable'

/** What came of an `escalation`; neither: nobody could be asked. */
export type AccessAnswer = { access: SandboxAccess } | { denied: string | undefined } | undefined

/** How commands come to more than their sandbox shows them. */
export interface WiderAccess {
  /** Whether an answer for the session, or one that is stored, has this entry of `command_allowlist`. */
  has(entry: string): boolean
  /**
   * @param entryOf what is kept of an answer for longer than once
   */
  ask(request: ApprovalRequest, entryOf: (access: SandboxAccess) => string): Promise<AccessAnswer>
}

const COVERED: ReadonlySet<ApprovalKind> = new Set(['confirm', 'dangerous', 'policy', 'hooks'])

/**
 * What a yes that was given beforehand (`--yes`) answers; `undefined`: nothing, and the user has to be asked. It opens
 * no sandbox, and asks nobody about that: the command has run, and its failure stays.
 */
export function answerOfYes({ kind = 'confirm', reasons = [] }: ApprovalRequest): 'once' | 'deny' | undefined {
  if (kind === 'escalation') return 'deny'
  return [kind, ...reasons.map((reason) => reason.kind)].every((one) => COVERED.has(one)) ? 'once' : undefined
}
