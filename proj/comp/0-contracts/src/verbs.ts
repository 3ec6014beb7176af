/// <reference lib="esnext.disposable" preserve="true" />
import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { ApprovalRequest, Consent, SandboxAccess, WiderAccess } from './approvals.js'
import type { FileStore, PathGate } from './files.js'
import type { Policy, Ruling } from './policy.js'
import type { Permission } from './permission.js'
import type { WorkProgress } from './work-progress.js'
import type { CommandSandbox } from './sandbox.js'
import type { Scheduler } from './scheduler.js'
import type { UserInterface } from './user-interface.js'

/** One registry, three vocabularies (contract section 3). */
export type Vocabulary = 'clada' | 'hermes' | 'core'

/** What a verb can do to the machine; policies and toolsets select by it. */
export type AccessClass = 'read' | 'write' | 'exec' | 'meta' | 'git' | 'dynamic'

/** `llm`: model text may call it. A verb without `llm` never runs from model text. */
export type Accessibility = 'llm' | 'user'

export interface Limits {
  /** Largest file read or written, in bytes. Default 10 MiB. */
  maxFileBytes: number
  /** Most bytes kept of each output stream of a command; head and tail are kept. Default 1 MiB. */
  maxOutputBytes: number
  /**
   * Time limit of a command, in milliseconds, where its call names none and its verb has no default of its own. Default
   * 120,000.
   */
  commandTimeoutMs: number
  /** Longest time a call may ask for, in milliseconds. Default: a given `commandTimeoutMs`, else 3,600,000. */
  maxCommandTimeoutMs: number
  /** Most matches `grep` and `glob` return, and most entries that `list_directory` gives at once. Default 10,000. */
  maxMatches: number
  /** Most blocks of one run; those after them fail. Default 100,000. */
  maxBlocks: number
  /** Most bytes that the verbs of one run write, all files together. Default 1 GiB. */
  maxWrittenBytes: number
  /** Time limit of a whole run, in milliseconds. Default: a day. */
  runTimeoutMs: number
  /** Most processes a command may have at once, where the sandbox can count them. Default 512. */
  maxProcesses: number
  /** Most memory of a command, in bytes, all its processes together, where the sandbox can bound it. Default 4 GiB. */
  maxMemoryBytes: number
  /**
   * Share of a file's lines, from 0 to 1, that may go without a hint when its whole content is replaced. Default 0.5.
   */
  droppedShare?: number
}

/**
 * What is kept in view of a file in place of all of it: lines, from 1 and both included, or what a name stands for in
 * it: a definition of source code, or a section of Markdown by its heading.
 */
export type FilePart = { kind: 'lines'; first: number; last: number } | { kind: 'name'; name: string }

/** Paths a model is working with; kept in the session, in memory only (seed 002). */
export interface ContextItem {
  /** As written. */
  path: string
  /** Canonical. */
  resolved: string
  /** Default: all of it. */
  part?: FilePart
  /** Of a part: the file as written. */
  file?: string
  /** When a verb last read or changed it; counts up. */
  lastUse?: number
  /** Its content as last read, for as long as size and time of the file say so. */
  held?: HeldContent
}

/** The content of a context item, as its file had it. */
export interface HeldContent {
  /** Of the file, in bytes. */
  size: number
  mtimeMs: number
  /** What a prompt shows: of a part the lines with their numbers. */
  text: string
  tokens: number
  /** Of a part: where in the file it is, by first and last line. */
  lines?: readonly [first: number, last: number]
  /** Of a part that the file has no more, or more than once: what is wrong, in words. */
  lost?: string
}

/** What verbs keep open between the calls of a session, e.g. shells; disposed of with it. */
export interface KeptResource extends AsyncDisposable {
  /** Ends what belongs to one task: nobody will ask for it again. */
  endTask?(taskId: string): Promise<void>
}

/** What stays between the calls of one session. */
export interface SessionState {
  /** Canonical root: relative paths and commands start here. */
  readonly root: string
  /** By canonical path, that of a part by this and the part; in the order added. */
  readonly context: Map<string, ContextItem>
  /** By a name of the component that keeps it. */
  readonly kept?: Map<string, KeptResource>
}

/** Another machine, on which a session works. */
export interface Elsewhere {
  /** For people: `user@host`. */
  readonly host: string
  /** To be called when a command has ended: it may have changed what verbs have read. */
  readonly commandEnded: () => void
}

/** What a handler may use. Files only through `gate` and `files`. */
export interface VerbContext {
  /** That of the verb that runs: hints name others of it. Default: clada. */
  readonly vocabulary?: Vocabulary
  readonly gate: PathGate
  readonly files: FileStore
  readonly session: SessionState
  readonly limits: Limits
  /**
   * `ask` has been asked by the time a handler runs: what it finds of its own class is `on`,
   * and of `network` on or off.
   */
  readonly policy: Policy
  /** Names the run and its directory `.hermes/runs/<runId>`; sorts by time. */
  readonly runId: string
  /**
   * Which of several tasks at once the call belongs to (seed 003 `task_id`): each has shells and context of its own.
   */
  readonly taskId?: string
  /** Nothing on disk may change, `.hermes` included. */
  readonly dryRun: boolean
  /** Where commands run. */
  readonly sandbox: CommandSandbox
  /** Files and commands are on another machine, reached through `gate`, `files` and `sandbox` only. */
  readonly elsewhere?: Elsewhere
  /** How edits find their place, where the user says so; otherwise each verb has its default. */
  readonly match?: 'exact' | 'tolerant'
  /** The block is a fence taken for a whole file: what is likely a passage of it is refused. */
  readonly takesWholeFile?: boolean
  /**
   * Takes what the caller of a verb that succeeds should know besides: the result's `hint`. A warning is something that
   * is likely wrong with what was done.
   */
  readonly advise?: (hint: string, isWarning?: true) => void
  /** The user, where there is one to talk to. */
  readonly ui: UserInterface | undefined
  /** Scheduled jobs, where the conversation may have some. */
  readonly scheduler?: Scheduler
  /**
   * Asks for consent; answers given for the session are kept.
   *
   * @throws HermesError `APPROVAL_DENIED` where the user says why not
   */
  readonly approve: (request: ApprovalRequest) => Promise<Consent>
  /** Tells how far it is, where that takes more than a second or so; a few times a second at most. */
  readonly progress?: ((work: WorkProgress) => void) | undefined
  /**
   * Takes the end of what a running command has printed, by whole words; a few times a second at most. Absent where
   * nobody listens.
   */
  readonly printing?: ((end: string) => void) | undefined
  /** Where a sandbox stopped a command. Without it commands have what their sandbox shows them. */
  readonly wider?: WiderAccess
  /** Of an admitted command: what the user has opened to it. */
  readonly access?: SandboxAccess | undefined
  /** What the policy wants to be asked for, of verbs with `asksWithCommand`: one line each. */
  readonly policyAsks?: { readonly command?: string; readonly network?: string }
  /** Called once a command is let in, before it starts: a rehearsal ends there. */
  readonly admitted?: () => void
  /** The values of the keys that the verb declares (`requires`); in its outcome they are masked. */
  readonly keys?: Readonly<Record<string, string>>
  /** Tells that a program leads a process group: where hermes is killed, recovery ends it. */
  readonly noteProcess?: (pid: number) => void
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal
}

/** A variable that holds a key (seed 003 'For .env variables'). */
export interface RequiredKey {
  name: string
  /** What it is for. */
  description?: string
  /** Where to get one. */
  url?: string
}

/** What a verb needs of the machine and its settings (seed 003 'Dynamic Tool Availability'). */
export interface Requirements {
  /** Variables of the environment that have to be set. */
  env?: readonly string[]
  /** Keys: variables of the environment or of the user's `.env`. The handler gets them as `context.keys`. */
  keys?: readonly (string | RequiredKey)[]
  /** Programs in PATH. */
  programs?: readonly string[]
  /** Optional packages of npm. */
  packages?: readonly string[]
  /** MCP servers that the user's config has to name, and not to switch off. */
  servers?: readonly string[]
}

/**
 * What the author of a verb writes: one file holds its schemas, its metadata and its handler (seed 000: exactly one
 * arguments and one result type each). Everything else (JSON Schema, `unified-design.yaml`, help) is derived from it.
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
  /** semver. Default: 1.0.0. */
  version?: string
  type: AccessClass
  /** Who may call it. Default: models. */
  accessibility?: readonly Accessibility[]
  /** Where it is not met the verb is listed with the reason, and not offered to models. Default: nothing. */
  requires?: Requirements
  /** Who brings it, of verbs that the user's config names, e.g. `extension notes`: hermes says so, not its author. */
  origin?: string
  /** Rules no schema can state, in words. Default: none. */
  constraints?: readonly string[]
  /** The parameter that stands for the call in one-line reports. Default: none. */
  primary?: string | undefined
  /**
   * The parameter with the one text file that a call reads and changes, and nothing else. Calls in a row of one answer
   * that change the same file then write it once.
   */
  onlyFile?: string
  /**
   * A call writes the whole content of one file, with the directories it needs, and changes nothing else. For such
   * calls in a row of one answer a durable run flushes its journal once.
   */
  writesOneFile?: true
  /**
   * Calling it again is how one waits for something: that it gives the same is no sign of a model that goes round in
   * circles.
   */
  polls?: true
  /**
   * What the user's settings say of this verb alone; of it and of what the policy says of its type the stricter counts.
   */
  permission?: Ruling<Permission>
  /**
   * Its handler asks for what the policy wants to be asked for, together with what else there is to ask of its command,
   * once its arguments are known to be good. Others are asked about before their handler is called.
   */
  asksWithCommand?: true
  args: Args
  /**
   * What must hold of the arguments beyond their schema, such as between two of them: asked before anything runs, also
   * by `tools validate`. It does no I/O.
   *
   * @throws HermesError for arguments that can never be right
   */
  check?: (args: InferOutput<Args>) => void
  result: Result
  /** Valid argument objects; tests validate and run each. */
  examples: readonly InferInput<Args>[]
  /** @throws HermesError for every failure a model can act on; Node's errors are formatted by the executor */
  handler: (args: InferOutput<Args>, context: VerbContext) => Promise<InferOutput<Result>> | InferOutput<Result>
}

/** A verb with what its author left out. */
export interface VerbDefinition<
  Args extends GenericSchema = GenericSchema, Result extends GenericSchema = GenericSchema,
> extends VerbSpec<Args, Result> {
  version: string
  accessibility: readonly Accessibility[]
  constraints: readonly string[]
  primary: string | undefined
}

/** A verb of any schemas, as registries hold it. */
export interface AnyVerb extends Omit<VerbDefinition, 'handler' | 'examples' | 'check'> {
  examples: readonly unknown[]
  check?: (args: never) => void
  handler: (args: never, context: VerbContext) => unknown
}

/** What most verbs are. */
const DEFAULTS = {
  version: '1.0.0', accessibility: ['llm'], constraints: [], primary: undefined,
} as const satisfies Partial<VerbDefinition>

/** A verb of its spec: ties the handler's types to the schemas, and fills in the defaults. */
export function defineVerb<Args extends GenericSchema, Result extends GenericSchema>(
  spec: VerbSpec<Args, Result>,
): VerbDefinition<Args, Result> {
  return { ...DEFAULTS, ...spec }
}
