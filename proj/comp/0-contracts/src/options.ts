import type { ApprovalAnswer, ApprovalReply, ApprovalRequest } from './approvals.js'
import type { Checks } from './checks.js'
import type { ReadFormat } from './read-formats.js'
import type { MappingName } from './mapping-names.js'
import type { ModelResponse } from './model-response.js'
import type { HermesEvent } from './results.js'
import type { PolicyOptions, SandboxMode } from './policy.js'
import type { PrintedLines, WorkProgress } from './work-progress.js'
import type { Scheduler } from './scheduler.js'
import type { UserInterface } from './user-interface.js'
import type { Limits } from './verbs.js'

/** An extension that no config names. */
export interface ExtensionSetting {
  name: string
  /** Program and arguments; no shell reads them. */
  command: readonly string[]
  /** The command that is triggered; default: its only one. */
  run?: string
  /** On top of the user's environment. */
  env?: Readonly<Record<string, string>>
  /** How long it has to be quiet for its command to be done, where it does not announce the end. Default 5,000. */
  quietMs?: number
}

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
  /**
   * How edits find their place: byte for byte, or also by the tiers of `edits` (line endings and space at line ends,
   * indentation, look-alike characters). Default: tolerant for edit formats, exact for `file_replace_text`.
   */
  match?: 'exact' | 'tolerant'
  /**
   * What a result says of the code that a block wrote (`broke`): nothing, where it does not parse any more and what
   * declarations lost, or with `full` also the new problems that TypeScript's language service finds in files of a
   * project with a `tsconfig.json`. Default: the policy's, else `syntax`.
   */
  checks?: Checks
  /**
   * Commit what a run changed, in a git work tree (contract section 3 'git'). Default: where there is one. `true`: a
   * run outside of one fails; `false`: never.
   */
  gitCommit?: boolean
  /**
   * All blocks or none: when one fails, everything is put back as it was. Commands are refused, since what they change
   * cannot be put back; `'files'` lets them run, and puts back files only.
   */
  atomic?: boolean | 'files'
  /** Flush the journal before each change: it then survives a loss of power, and runs take longer. Default false. */
  durable?: boolean
  /** How long to wait while another run works in the same root, in milliseconds. Default 0. */
  waitMs?: number
  /**
   * Asked before what needs consent, such as `delete_file` without `confirm: true`. Without it that is refused. A reply
   * `{ answer: 'deny', reason }` tells the model why.
   */
  approve?: (request: ApprovalRequest) => ApprovalAnswer | ApprovalReply | Promise<ApprovalAnswer | ApprovalReply>
  /** Answers `ask_user` and `confirm_action`. Without it they fail with `NO_USER`. */
  ui?: UserInterface
  /** Answers `cron_add`, `cron_list` and `cron_remove`. Without it models are not offered them. */
  scheduler?: Scheduler
  /**
   * The user's policy: its content, or the path of a file, in place of `~/.hermes/config.yaml`. The `hermes.yaml` of
   * the root or of the work tree it lies in is read besides and can only make it stricter. `false`: neither is read.
   */
  policy?: PolicyOptions | string | false
  /**
   * What holds commands. `auto`: the platform's sandbox, or an approval for each command where it has none; `bwrap`:
   * that or no command; `none`: nothing holds them, they may do what the user may. Default: the policy's, else `auto`.
   */
  sandbox?: SandboxMode
  /** Commands reach the network. Default: the policy's, else false. */
  network?: boolean
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
  /**
   * Called while a call works long before it can answer, a few times a second at most: where it builds the index of the
   * code. What it throws fails the call.
   */
  onProgress?: (work: WorkProgress) => void
  /**
   * Called while a command runs that prints, a few times a second at most, with the last of it. What it throws fails
   * the call.
   */
  onOutput?: (output: PrintedLines) => void
  /**
   * Run the commands of `hooks:` in the policy files around each run (docs/hooks.md); those of a project only where the
   * user trusts them, or `approve` says so. Default true.
   */
  hooks?: boolean
  /**
   * Programs of the user's that work on the answer before it is read, in this order (docs/extensions.md): `NAME` or
   * `NAME:COMMAND` of `~/.hermes/config.yaml`, or what is to be started. One process each, for the whole session. Where
   * one fails nothing runs, and `fatalError` says so. A `stream` is read to its end first. Default: none.
   */
  extensions?: readonly (string | ExtensionSetting)[]
  /** The text begins inside a think section whose opening tag is not part of it. */
  startsInThink?: boolean
  /**
   * Edit formats and dialects of harnesses to read besides (contract section 1), such as `search-replace` or `cline`;
   * `auto` is all that names a path and holds no command. Default none, or all edit formats with toolset
   * `edit-formats`; a block of another is an error.
   */
  editFormats?: readonly ReadFormat[]
  /**
   * Calls of tools of this harness, or with `auto` of any that hermes knows, run as calls of verbs (docs/replay.md has
   * the mappings). A call that a verb takes as it is stays one of that verb. Default: none, they fail with
   * `UNKNOWN_ACTION`.
   */
  mapping?: MappingName | 'auto'
}

/** Options of `stream`. */
export interface StreamOptions {
  /**
   * About how many bytes the result at the end holds of results, parse errors and skipped blocks; the events have all
   * of them. Beyond it successes are left out first, then what came last: see `omitted`. `Infinity` holds all. Default
   * 4 MiB.
   */
  maxKeptBytes?: number
  /** As of `RunOptions`: shells and context are kept for each task. */
  taskId?: string
  /** As of `RunOptions`: names the run in the journal. Default: a new one. */
  runId?: string
  /**
   * Where nothing more can run (`fatalError`), end at once instead of reading the text to its end: only what had come
   * by then is in the result. Default false.
   */
  endWhenStopped?: boolean
  /**
   * Reads a text that is, as a whole, a saved response of a model's interface, as `readResponse` does. A text that
   * begins as JSON or as a stream of events is held until it has ended, and runs then. Default: every text is what it
   * says.
   */
  readResponse?: (text: string) => ModelResponse | undefined | Promise<ModelResponse | undefined>
  /** Cancels this stream alone; the signal of the session still cancels it too. */
  signal?: AbortSignal | undefined
}
