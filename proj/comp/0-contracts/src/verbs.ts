/// <reference lib="esnext.disposable" preserve="true" />
import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { ApprovalQuestion, Consent, SandboxAccess, WiderAccess } from './approvals.js'
import type { Delegates } from './delegates.js'
import type { FileStore, PathGate } from './files.js'
import type { Policy, Ruling } from './policy.js'
import type { Permission } from './permission.js'
import type { WorkProgress } from './work-progress.js'
import type { CommandSandbox } from './sandbox.js'
import type { Scheduler } from './scheduler.js'
import type { UserInterface } from './user-interface.js'

/**
 * The three sets of verb names in the registry: SHAM actions (`file_read`), Hermes verbs (`fs.readFile`), core tools
 * (`read_file`).
 */
export type Vocabulary = 'clada' | 'hermes' | 'core'

/** What a verb can do to the machine; policies and toolsets select verbs by it. */
export type AccessClass = 'read' | 'write' | 'exec' | 'meta' | 'git' | 'dynamic'

/** Who may call a verb. A verb without `llm` never runs from a model's text. */
export type Accessibility = 'llm' | 'user'

/** Bounds of what one call reads, keeps and takes. `limits` of a session or policy sets them. */
export interface Limits {
  /** Largest file read or written, in bytes. Default 10 MiB. */
  maxFileBytes: number
  /** Most bytes kept of each output stream of a command; head and tail are kept. Default 1 MiB. */
  maxOutputBytes: number
  /** Time limit of a command, in milliseconds, where neither its call nor its verb sets one. Default 120,000. */
  commandTimeoutMs: number
  /** Longest time limit a call may ask for, in milliseconds. Default: a given `commandTimeoutMs`, else 3,600,000. */
  maxCommandTimeoutMs: number
  /** Most matches `grep` and `glob` return, and most entries that `list_directory` gives at once. Default 10,000. */
  maxMatches: number
  /** Most blocks of one run; later ones fail. Default 100,000. */
  maxBlocks: number
  /** Most bytes that the verbs of one run write, all files together. Default 1 GiB. */
  maxWrittenBytes: number
  /** Time limit of a whole run, in milliseconds. Default: a day. */
  runTimeoutMs: number
  /** Most processes of a command at once, where the sandbox can count them. Default 512. */
  maxProcesses: number
  /** Most memory of all processes of a command, in bytes, where the sandbox can limit it. Default 4 GiB. */
  maxMemoryBytes: number
  /**
   * When a write replaces a whole file: the share of its lines, from 0 to 1, that may disappear without a hint. Default
   * 0.5.
   */
  droppedShare?: number
}

/**
 * The part of a file that is kept in context: a range of lines (1-based, inclusive), or a named part: a definition in
 * source code, or a section of Markdown by its heading.
 */
export type FilePart = { kind: 'lines'; first: number; last: number } | { kind: 'name'; name: string }

/** A file or part of one that a model keeps in view; held in the session, in memory only. */
export interface ContextItem {
  /** As the model wrote it. */
  path: string
  /** Absolute path with links resolved. */
  resolved: string
  /** Default: the whole file. */
  part?: FilePart
  /** Only with `part`: the file's path as written. */
  file?: string
  /** Counter value when a verb last read or changed it; higher is later. */
  lastUse?: number
  /** Its content as last read; valid while size and time of the file stay the same. */
  held?: HeldContent
}

/** The content of a context item when it was read. */
export interface HeldContent {
  /** Size of the whole file, in bytes. */
  size: number
  mtimeMs: number
  /** What a prompt shows; for a part, lines with their numbers. */
  text: string
  tokens: number
  /** Only with `part`: its first and last line in the file. */
  lines?: readonly [first: number, last: number]
  /** Only with `part`: why it cannot be located (gone, or there more than once), in words. */
  lost?: string
}

/** A resource that verbs keep open between the calls of a session, e.g. shells; disposed of with the session. */
export interface KeptResource extends AsyncDisposable {
  /** Closes what belongs to one task, which makes no further calls. */
  endTask?(taskId: string): Promise<void>
}

/** State that lives as long as a session. */
export interface SessionState {
  /** Root, absolute with links resolved: relative paths and commands start here. */
  readonly root: string
  /** Context items in the order added; keyed by resolved path, and for a part by path and part. */
  readonly context: Map<string, ContextItem>
  /** Keyed by a name that the owning component chooses. */
  readonly kept?: Map<string, KeptResource>
}

/** The other machine on which a session works. */
export interface Elsewhere {
  /** Shown to people: `user@host`. */
  readonly host: string
  /** Call it when a command has ended, since it may have changed files that verbs have read. */
  readonly commandEnded: () => void
}

/** What a handler may use. It touches files only through `gate` and `files`. */
export interface VerbContext {
  /** Vocabulary of the running verb: hints name verbs of the same one. Default: clada. */
  readonly vocabulary?: Vocabulary
  readonly gate: PathGate
  readonly files: FileStore
  readonly session: SessionState
  readonly limits: Limits
  /**
   * The merged policy. Where it says `ask`, the question has been answered before a handler runs: it finds `on` for its
   * own class, and on or off for `network`.
   */
  readonly policy: Policy
  /** Id of the run and name of its directory `.hermes/runs/<runId>`; ids sort by time. */
  readonly runId: string
  /** Id of the task that the call belongs to, where several run at once: each task has its own shells and context. */
  readonly taskId?: string
  /** Nothing on disk may change, not even `.hermes`. */
  readonly dryRun: boolean
  /** Starts commands. */
  readonly sandbox: CommandSandbox
  /** Files and commands are on another machine, reached through `gate`, `files` and `sandbox` only. */
  readonly elsewhere?: Elsewhere
  /** The user's choice of how edits find the lines to replace; absent: each verb has its default. */
  readonly match?: 'exact' | 'tolerant'
  /** The block is a fence read as a whole file: refuse content that is likely only an excerpt. */
  readonly takesWholeFile?: boolean
  /** Adds to the hint of a verb that succeeds. A warning names a likely mistake in what was done. */
  readonly advise?: (hint: string, isWarning?: true) => void
  /** For questions to the user; absent where there is no user to ask. */
  readonly ui: UserInterface | undefined
  /** Scheduled jobs; absent where the conversation has none. */
  readonly scheduler?: Scheduler
  /** Agents that work on parts of the task; absent where the conversation may have none. */
  readonly delegates?: Delegates
  /**
   * Asks for approval; answers given for the session are remembered.
   *
   * @throws HermesError `APPROVAL_DENIED` where the user gives a reason for the denial
   */
  readonly approve: (request: ApprovalQuestion) => Promise<Consent>
  /** Reports progress of work that takes more than about a second; call it a few times a second at most. */
  readonly progress?: ((work: WorkProgress) => void) | undefined
  /**
   * Takes the latest output of a running command, cut between words; call it a few times a second at most. Absent where
   * nobody listens.
   */
  readonly printing?: ((end: string) => void) | undefined
  /** Asks for more access where a sandbox stopped a command. Absent: commands keep to what their sandbox allows. */
  readonly wider?: WiderAccess
  /** What the user has opened to an admitted command. */
  readonly access?: SandboxAccess | undefined
  /** For verbs with `asksWithCommand`: the policy's reasons to ask, one line each. */
  readonly policyAsks?: { readonly command?: string; readonly network?: string }
  /** Call it once a command is admitted, before it starts; a dry run of it ends there. */
  readonly admitted?: () => void
  /** Values of the keys the verb declares (`requires.keys`); they are masked in its result. */
  readonly keys?: Readonly<Record<string, string>>
  /** Records that a process leads a process group, so that recovery can kill the group if hermes itself is killed. */
  readonly noteProcess?: (pid: number) => void
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal
}

/** An environment variable that holds a key (docs/writing-a-verb.md). */
export interface RequiredKey {
  name: string
  /** Purpose of the key. */
  description?: string
  /** Where to get a key. */
  url?: string
}

/** What a verb needs of the machine and of its settings. */
export interface Requirements {
  /** Environment variables that must be set. */
  env?: readonly string[]
  /** Keys: variables of the environment or of the user's `.env`. The handler gets their values as `context.keys`. */
  keys?: readonly (string | RequiredKey)[]
  /** Programs that must be in PATH. */
  programs?: readonly string[]
  /** Optional npm packages. */
  packages?: readonly string[]
  /** MCP servers that the user's config must name and not disable. */
  servers?: readonly string[]
  /** The user's config must name a language server. */
  languageServer?: boolean
}

/**
 * What the author of a verb writes: schemas, metadata and handler in one file. JSON Schema, `unified-design.yaml`, help
 * and all else is derived from it.
 */
export interface VerbSpec<
  Args extends GenericSchema = GenericSchema, Result extends GenericSchema = GenericSchema,
> {
  name: string
  vocabulary: Vocabulary
  /** Under 500 characters. */
  description: string
  /** Family, e.g. `file`, `directory`, `search`. */
  category: string
  /** Semver. Default: 1.0.0. */
  version?: string
  type: AccessClass
  /** Who may call it. Default: models. */
  accessibility?: readonly Accessibility[]
  /** A verb whose requirements are not met is listed with the reason, and not offered to models. Default: none. */
  requires?: Requirements
  /** Where a verb of the user's own comes from, e.g. `extension notes`; set by hermes, not by the author. */
  origin?: string
  /** Rules that no schema can state, as sentences. Default: none. */
  constraints?: readonly string[]
  /** Name of the parameter that represents the call in one-line reports. Default: none. */
  primary?: string | undefined
  /**
   * Optional parameters that work on a project seldom needs: a prompt tells of them only where toolsets are named.
   * `hermes tools show` has them, and so has what a reply names to read on.
   */
  seldom?: readonly Extract<keyof InferInput<Args>, string>[]
  /**
   * Name of the parameter with the one text file that a call reads and changes; it must change nothing else.
   * Consecutive calls of an answer that change the same file then write it once.
   */
  onlyFile?: string
  /**
   * A call writes the whole content of one file, creates the directories it needs, and changes nothing else. For
   * consecutive such calls a durable run flushes its journal once.
   */
  writesOneFile?: true
  /**
   * Models call it repeatedly to wait for something, so equal results are no sign of a model going round in circles.
   */
  polls?: true
  /** The user's setting for this verb alone; the stricter of this and the policy for its type counts. */
  permission?: Ruling<Permission>
  /**
   * The handler itself asks the policy's questions, together with other questions about its command, once its arguments
   * have been checked. For other verbs the policy's questions are asked before the handler.
   */
  asksWithCommand?: true
  args: Args
  /**
   * Checks the arguments beyond their schema, such as one against another. Called before anything runs, also by `tools
   * validate`; must do no I/O.
   *
   * @throws HermesError for arguments that can never be right
   */
  check?: (args: InferOutput<Args>) => void
  result: Result
  /** Valid arguments; tests validate and run each. */
  examples: readonly InferInput<Args>[]
  /** @throws HermesError for every failure a model can act on; Node's errors are formatted by the executor */
  handler: (args: InferOutput<Args>, context: VerbContext) => Promise<InferOutput<Result>> | InferOutput<Result>
}

/** A verb with its defaults filled in. */
export interface VerbDefinition<
  Args extends GenericSchema = GenericSchema, Result extends GenericSchema = GenericSchema,
> extends VerbSpec<Args, Result> {
  version: string
  accessibility: readonly Accessibility[]
  constraints: readonly string[]
  primary: string | undefined
}

/** A verb with any schemas, as registries hold it. */
export interface AnyVerb extends Omit<VerbDefinition, 'handler' | 'examples' | 'check' | 'seldom'> {
  examples: readonly unknown[]
  seldom?: readonly string[]
  check?: (args: never) => void
  handler: (args: never, context: VerbContext) => unknown
}

/** Defaults of optional metadata. */
const DEFAULTS = {
  version: '1.0.0', accessibility: ['llm'], constraints: [], primary: undefined,
} as const satisfies Partial<VerbDefinition>

/** Makes a verb of its spec: infers the handler's types from the schemas, and fills in the defaults. */
export function defineVerb<Args extends GenericSchema, Result extends GenericSchema>(
  spec: VerbSpec<Args, Result>,
): VerbDefinition<Args, Result> {
  return { ...DEFAULTS, ...spec }
}
