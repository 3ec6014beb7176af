import type { ApprovalAnswer, ApprovalRequest } from './approvals.js'
import type { HermesEvent } from './results.js'
import type { UserInterface } from './user-interface.js'
import type { Limits } from './verbs.js'

/** Options of `execute` and `new Hermes`. Contract section 5. */
export interface HermesOptions {
  /** All relative paths start here and nothing outside is touched. Default: the working directory. */
  root?: string
  /** Further directories that may be read and written. */
  allow?: readonly string[]
  /** Absolute prefixes that stand for the root in the text, e.g. `/workspace`. */
  rootAliases?: readonly string[]
  /** Accept relative paths where a verb's schema asks for absolute ones (clada's verbs). Default false. */
  relativePaths?: boolean
  /** Validate and run against an overlay in memory: nothing on disk changes, commands are not started. */
  dryRun?: boolean
  /** Names of toolsets; verbs outside all of them are refused with `POLICY_DENIED`. Default: every verb. */
  toolsets?: readonly string[]
  /** No commits are made yet, so only `false` is accepted. */
  gitCommit?: false
  /** Asked before what needs consent, such as `delete_file` without `confirm: true`. Without it that is refused. */
  approve?: (request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>
  /** Answers `ask_user` and `confirm_action`. Without it they fail with `NO_USER`. */
  ui?: UserInterface
  /** Overrides of the defaults, field by field. */
  limits?: Partial<Limits>
  /**
   * Time limit of one command in milliseconds, whatever its call asks for: the same as `limits.commandTimeoutMs`, and
   * `limits.maxCommandTimeoutMs` where that is not given too.
   */
  timeoutMs?: number
  /** Aborting it kills the running command, and the blocks not yet started fail with `CANCELLED`. */
  signal?: AbortSignal
  /** Called synchronously while the run goes on. What it throws is reported as `fatalError`. */
  onEvent?: (event: HermesEvent) => void
  /** The text begins inside a think section whose opening tag is not part of it. */
  startsInThink?: boolean
}
