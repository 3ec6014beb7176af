import type { ApprovalRequest, Consent, SandboxAccess } from './approvals.js'
import type { SandboxName } from './sandbox-name.js'

/** A program to start; nothing of it passes a shell of the machine hermes runs on. */
export interface ProgramCall {
  /** Messages begin with it. */
  verb: string
  /** A name to be found in PATH, or an absolute path. */
  file: string
  args: readonly string[]
  /** Absolute and canonical. */
  cwd: string
  /** On top of the variables that are passed on. */
  env?: Readonly<Record<string, string>> | undefined
  /** It reaches the network. Default false. */
  network?: boolean
  /** Files outside the root that it has to read: absolute and canonical. */
  readable?: readonly string[]
  /** It runs on a terminal of its own, which its standard streams are: it may control that terminal. */
  terminal?: boolean
  /** `args` are a Windows command line already and need no quoting. */
  isVerbatim?: boolean
  /** It runs for a commit: git's own files may be written, but for those that name programs. */
  commit?: CommitPlace
  /** What the user has opened to it; of the network `network` says it. */
  access?: SandboxAccess | undefined
}

/** A work tree whose hooks run; all paths absolute and canonical. */
export interface CommitPlace {
  /** The top directory of the work tree. */
  top: string
  /** Git's own directories for it. */
  repositories: readonly string[]
  /** Files in these that only git itself may change meanwhile. */
  kept?: readonly string[]
}

/** What a program may use. */
export interface ProgramLimits {
  /** Processes at the same time. */
  processes: number
  /** Bytes of memory, all its processes together, with what lies in `inMemory`. */
  memoryBytes: number
  /** Directories in memory that it may write, as it sees them. */
  inMemory: readonly string[]
}

/** What a set of processes uses. */
export interface ProgramUsage {
  /** Processes and threads. */
  processes: number
  memoryBytes: number
}

/** Namespaces that the commands of a task share: what one of them leaves running, the next one finds. */
export interface SharedNamespaces {
  /** To be told as soon as the first process of the command is known. */
  entered(first: FirstProcess): void
  /** The command's own processes that live now, wherever they went. */
  living(): readonly { pid: number }[]
  /** Of all commands of the task together, since these share the limits. */
  usage(): ProgramUsage
  /** Ends all of the task at once: for processes that multiply faster than they are ended. */
  endAll(): Promise<void>
}

/** The first process of a command in its sandbox. */
export interface FirstProcess {
  pid: number
  /** Number of its namespace of mounts, which no other command has. */
  mounts: string | undefined
}

/** How a program is started so that its sandbox holds it. */
export interface ConfinedProgram {
  sandbox: SandboxName
  file: string
  args: readonly string[]
  cwd: string
  /** The whole environment. */
  env: Readonly<Record<string, string>>
  isVerbatim: boolean
  /** What it reads from file descriptors 4, 5, …; 3 is then the one it reports on (`bwrap --json-status-fd`). */
  inputs?: readonly (string | Uint8Array)[]
  /** Its standard input stays open as long as it may run: the far end of a connection ends with it. */
  holdsStdin?: true
  /** To be called when it was stopped before its end: what runs in a container outlives its client. */
  end?: () => Promise<void>
  /** Whether the program was not there, where that shows only in how it ended: in a container. */
  wasMissing?: (exitCode: number | null, stderr: string) => boolean
  /** What the model has to know of where it runs, since that is not what the call before left. */
  news?: string | undefined
  /** Without it the namespaces are the program's own, and end with it. */
  shared?: SharedNamespaces
  /**
   * To be called once it has ended: takes over what it did to what was opened to it.
   *
   * @throws HermesError `CHANGED_ON_DISK`, `POLICY_DENIED`: then nothing of it was taken
   */
  settle?: () => Promise<void>
  /** To be called once it has ended, or could not be started; after `settle`. */
  release?: () => void
  /** Watched while it runs. */
  limits: ProgramLimits | undefined
  /** What the sandbox kept from a program whose output ends so. */
  explain(output: string): Walls | undefined
}

/** What stopped a program in its sandbox, told by what it printed. */
export interface Walls {
  /** Completes a failure's hint. */
  hint: string
  /** In few words, for people. */
  kept: string
  /** What would let it pass, the least first; none where only another command would. */
  opens: readonly SandboxAccess[]
}

/** Where the commands of a session run (contract section 3 'commands'). */
export interface CommandSandbox {
  /** Commands cannot reach the machine at all: dangerous ones need no approval (seed 003). */
  readonly isIsolated: boolean
  /** The same on this machine, for what cannot run elsewhere: hooks of git. */
  readonly local: CommandSandbox
  /**
   * Why nothing would hold a command here, as the end of a sentence; `undefined` where something does. Tried once in a
   * process, which takes some milliseconds.
   */
  problem(): Promise<string | undefined>
  /**
   * Asked once for each command, before it starts.
   *
   * @param command as the model wrote it
   * @throws HermesError `APPROVAL_DENIED` where nothing would contain it and nobody agrees to that; `NOT_INSTALLED`
   *   where the sandbox that was asked for does not work here
   */
  admit(
    verb: string, command: string, approve: (request: ApprovalRequest) => Promise<Consent>,
  ): Promise<SandboxName>
  /**
   * After `admit`.
   *
   * @throws Node's error where there is no such program (`ENOENT`, `EACCES`); HermesError `POLICY_DENIED` for one that
   *   the sandbox does not show
   */
  confine(call: ProgramCall): Promise<ConfinedProgram>
  /** Ends what commands have left running, and waits for that. */
  end(): Promise<void>
}
