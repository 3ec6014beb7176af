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

/** All fields optional; `undefined` counts as left out. */
export type Lenient<T> = { [K in keyof T]?: T[K] | undefined }

/** The named optional fields, as required ones. */
export type Given<T, Names extends keyof T> = { [Name in Names]-?: Exclude<T[Name], undefined> }

/** An extension that is not in the user's config. */
export interface ExtensionSetting {
  name: string
  /** Program and arguments, started without a shell. */
  command: readonly string[]
  /** The extension's command to trigger; default: its only one. */
  run?: string | undefined
  /** Environment variables on top of the user's environment. */
  env?: Readonly<Record<string, string>> | undefined
  /** Milliseconds of silence after which its command counts as done, if it does not announce the end. Default 5,000. */
  quietMs?: number | undefined
}

/** Options of `execute` and `new Hermes`; `undefined` counts as not given. */
export interface HermesOptions {
  /** Directory that relative paths start from; nothing outside it is touched. Default: the working directory. */
  root?: string | undefined
  /** Further directories that may be read and written. */
  allow?: readonly string[] | undefined
  /** Absolute prefixes that mean the root when a text uses them, e.g. `/workspace`. */
  rootAliases?: readonly string[] | undefined
  /** Accept relative paths where a verb's schema asks for absolute ones (clada's verbs). Default false. */
  relativePaths?: boolean | undefined
  /** Validate, and run against an overlay in memory: nothing on disk changes, and no command is started. */
  dryRun?: boolean | undefined
  /** Names of toolsets; verbs outside all of them are refused with `POLICY_DENIED`. Default: every verb. */
  toolsets?: readonly string[] | undefined
  /**
   * How edits find the lines to replace: byte for byte, or also with the tolerances of `1-edits` (line endings and
   * trailing space, indentation, look-alike characters). Default: tolerant for edit formats, exact for
   * `file_replace_text`.
   */
  match?: 'exact' | 'tolerant' | undefined
  /**
   * What a result says of damage to the code that a block wrote (`broke`): nothing; new syntax errors and what
   * declarations lost; or with `full` also new problems that TypeScript's language service finds in files of a project
   * with a `tsconfig.json`. Default: the policy's, else `syntax`.
   */
  checks?: Checks | undefined
  /**
   * Whether to commit what a run changed. `true`: a run outside of a git work tree fails; `false`: never. Default:
   * commit where the root lies in a work tree.
   */
  gitCommit?: boolean | undefined
  /**
   * All blocks or none: when one fails, all files are restored. Commands are then refused, since their effects cannot
   * be undone; `'files'` lets them run, and restores files only.
   */
  atomic?: boolean | 'files' | undefined
  /**
   * Flush the journal to disk before each change: it then survives a loss of power, and runs take longer. Default
   * false.
   */
  durable?: boolean | undefined
  /** How long to wait while another run works in the same root, in milliseconds. Default 0. */
  waitMs?: number | undefined
  /**
   * Called for approval, for example before `delete_file` without `confirm: true`. Without it, what needs approval is
   * refused. A reply `{ answer: 'deny', reason }` tells the model why.
   */
  approve?:
    | ((request: ApprovalRequest) => ApprovalAnswer | ApprovalReply | Promise<ApprovalAnswer | ApprovalReply>)
    | undefined
  /** Answers `ask_user` and `confirm_action`. Without it they fail with `NO_USER`. */
  ui?: UserInterface | undefined
  /** Serves `cron_add`, `cron_list` and `cron_remove`. Without it models are not offered them. */
  scheduler?: Scheduler | undefined
  /**
   * The user's policy, as content or as the path of a file, in place of `~/.hermes/config.yaml`. The `hermes.yaml` of
   * the root or of its work tree is read too, and can only make it stricter. `false`: neither is read.
   */
  policy?: PolicyOptions | string | false | undefined
  /**
   * What contains commands. `auto`: the platform's sandbox, or an approval for each command where there is none;
   * `bwrap`, `unshare`: this sandbox, or no command runs; `none`: no sandbox, commands may do what the user may.
   * Default: the policy's, else `auto`.
   */
  sandbox?: SandboxMode | undefined
  /**
   * Whether commands reach the network. A list: only these hosts (`packages.example.com`, `*.example.org`,
   * `db.example.org:5432`; without a port 80 and 443), through a proxy in hermes. Where the sandbox cannot enforce a
   * list, runs fail with `NETWORK_NOT_HELD`. Default: the policy's, else false.
   */
  network?: boolean | readonly string[] | undefined
  /** Overrides of single limits. */
  limits?: Lenient<Limits> | undefined
  /**
   * Time limit of each command in milliseconds, also where its call asks for more: sets `limits.commandTimeoutMs`, and
   * `limits.maxCommandTimeoutMs` where that is not given.
   */
  timeoutMs?: number | undefined
  /** Aborting it kills the running command; blocks not yet started fail with `CANCELLED`. */
  signal?: AbortSignal | undefined
  /** Called synchronously for each event of a run. What it throws becomes the `fatalError`. */
  onEvent?: ((event: HermesEvent) => void) | undefined
  /**
   * Called a few times a second at most while a call works for long, such as when it builds the index of the code. What
   * it throws fails the call.
   */
  onProgress?: ((work: WorkProgress) => void) | undefined
  /** Called a few times a second at most with the latest output of a running command. What it throws fails the call. */
  onOutput?: ((output: PrintedLines) => void) | undefined
  /**
   * Run the commands of `hooks:` in the policy files around each run (docs/hooks.md); those of a project only if the
   * user trusts them, or `approve` allows it. Default true.
   */
  hooks?: boolean | undefined
  /**
   * The user's programs that rewrite the answer before it is read, in this order (docs/extensions.md): `NAME` or
   * `NAME:COMMAND` from `~/.hermes/config.yaml`, or a program to start. Each is one process for the whole session. If
   * one fails, nothing runs and `fatalError` says so. A `stream` is read to its end first. Default: none.
   */
  extensions?: readonly (string | ExtensionSetting)[] | undefined
  /** The text begins inside a think section whose opening tag is missing. */
  startsInThink?: boolean | undefined
  /**
   * Edit formats and dialects of harnesses to read as well (docs/formats.md), such as `search-replace` or `cline`;
   * `auto`: all that name a path and hold no command. Default: none, or all edit formats with toolset `edit-formats`. A
   * block of a format that is not enabled is an error.
   */
  editFormats?: readonly ReadFormat[] | undefined
  /**
   * Run calls of tools of this harness, or with `auto` of any harness that hermes knows, as calls of verbs (mappings:
   * docs/replay.md). A call that a verb accepts as it is stays a call of that verb. Default: none; such calls fail with
   * `UNKNOWN_ACTION`.
   */
  mapping?: MappingName | 'auto' | undefined
}

/** Options of `stream`. */
export interface StreamOptions {
  /**
   * Roughly how many bytes of results, parse errors and skipped blocks the final result holds; the events still report
   * all of them. Beyond that, successes are dropped first, then the latest entries: see `omitted`. `Infinity` keeps
   * all. Default 4 MiB.
   */
  maxKeptBytes?: number | undefined
  /** As in `RunOptions`: shells and context are kept for each task. */
  taskId?: string | undefined
  /** As in `RunOptions`: names the run in the journal. Default: a new id. */
  runId?: string | undefined
  /**
   * End as soon as nothing more can run (`fatalError`) instead of reading the text to its end: the result then covers
   * only what had arrived. Default false.
   */
  endWhenStopped?: boolean | undefined
  /**
   * Parses a text that is a saved response of a model API; as the function `readResponse`. A text that begins like JSON
   * or an event stream is held back until it ends, and runs then. Default: every text is read for blocks as it is.
   */
  readResponse?: ((text: string) => ModelResponse | undefined | Promise<ModelResponse | undefined>) | undefined
  /** Cancels only this stream; the signal of the session still cancels it too. */
  signal?: AbortSignal | undefined
}
