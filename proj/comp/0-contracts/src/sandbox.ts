import type { ApprovalQuestion, Consent, SandboxAccess } from './approvals.js'
import type { SandboxName } from './sandbox-name.js'

/** A program to start; no shell of hermes' machine sees any of it. */
export interface ProgramCall {
  /** The prefix of error messages. */
  verb: string
  /** A name to look up in PATH, or an absolute path. */
  file: string
  args: readonly string[]
  /** Absolute, links resolved. */
  cwd: string
  /** Environment variables on top of those passed on. */
  env?: Readonly<Record<string, string>> | undefined
  /** It reaches the network. Default false. */
  network?: boolean
  /** Files outside the root that it has to read: absolute, links resolved. */
  readable?: readonly string[]
  /** It runs on a terminal of its own, which is its standard input and output, and may control it. */
  terminal?: boolean
  /** `args` are a finished Windows command line and need no quoting. */
  isVerbatim?: boolean
  /** It runs for a commit: git's own files may be written, except those that name programs. */
  commit?: CommitPlace
  /**
   * The program comes from the user's settings, not from a model: the sandbox shows it what it needs, and what its
   * arguments name by an absolute path, wherever that lies. Default false.
   */
  isOfUser?: boolean
  /** It can read the root and the allowed directories, but write to none of them. Default false. */
  changesNothing?: boolean
  /** What the user has opened to it beyond the sandbox; for the network itself see `network`. */
  access?: SandboxAccess | undefined
}

/** A work tree whose git hooks run; all paths absolute, with links resolved. */
export interface CommitPlace {
  /** The top directory of the work tree. */
  top: string
  /** Git's own directories for the work tree. */
  repositories: readonly string[]
  /** Files in `repositories` that only git itself may change meanwhile. */
  kept?: readonly string[]
}

/** Resource limits of a program. */
export interface ProgramLimits {
  /** Most processes at the same time. */
  processes: number
  /** Most memory of all its processes together, with the files in `inMemory`; in bytes. */
  memoryBytes: number
  /** Writable directories that lie in memory (tmpfs), by their path inside the sandbox. */
  inMemory: readonly string[]
}

/** Resource usage of a set of processes. */
export interface ProgramUsage {
  /** Processes and threads. */
  processes: number
  memoryBytes: number
}

/** Namespaces that the commands of a task share, so that a command finds what an earlier one left running. */
export interface SharedNamespaces {
  /** Call it as soon as the first process of the command is known. */
  entered(first: FirstProcess): void
  /** Live processes of this command, wherever they moved to. */
  living(): readonly { pid: number }[]
  /** Usage of all commands of the task together, since they share the limits. */
  usage(): ProgramUsage
  /** Kills all processes of the task at once; for processes that multiply faster than they are killed one by one. */
  endAll(): Promise<void>
}

/** The first process of a command in its sandbox. */
export interface FirstProcess {
  pid: number
  /** Number of its mount namespace, which no other command shares. */
  mounts: string | undefined
}

/** How to start a program so that its sandbox contains it. */
export interface ConfinedProgram {
  sandbox: SandboxName
  file: string
  args: readonly string[]
  cwd: string
  /** The complete environment. */
  env: Readonly<Record<string, string>>
  isVerbatim: boolean
  /** Data to pass on file descriptors 4, 5, …; descriptor 3 is then for its status (`bwrap --json-status-fd`). */
  inputs?: readonly (string | Uint8Array)[]
  /** Keep its standard input open while it may run: the remote end of a connection stops when that closes. */
  holdsStdin?: true
  /** Call it when the program was stopped before its end: what runs in a container outlives its client. */
  end?: () => Promise<void>
  /** Whether the program did not exist, where only its end shows that (in containers). */
  wasMissing?: (exitCode: number | null, stderr: string) => boolean
  /** What the model has to know about where it runs, if that changed since the previous call. */
  news?: string | undefined
  /** Absent where the namespaces are the program's own and end with it. */
  shared?: SharedNamespaces
  /**
   * Call it once the program has ended: takes over its changes to what was opened to it.
   *
   * @throws HermesError `CHANGED_ON_DISK`, `POLICY_DENIED`: no change was taken over
   */
  settle?: () => Promise<void>
  /** Call it once the program has ended or could not be started; after `settle`. */
  release?: () => void
  /** Limits that hermes enforces while it runs. */
  limits: ProgramLimits | undefined
  /** For a program limited to named hosts: these, and the other hosts it tried to reach since it was confined. */
  reached?: () => ReachedHosts
  /** Call it when a further command begins in the same program: `reached` and `explain` then cover only that one. */
  beginCommand?: () => void
  /** What the sandbox denied to a program whose output ends with this text. */
  explain(output: string): Walls | undefined
}

/** The hosts that a program limited to named hosts could reach, as the user named them. */
export interface ReachedHosts {
  hosts: readonly string[]
  /** Other hosts that it tried to reach, without duplicates; of very many the last. */
  denied: readonly string[]
  /** The same as a note to the model, where there were any. */
  note?: string
}

/** What the sandbox denied to a program, inferred from its output. */
export interface Walls {
  /** Appended to the hint of the failure. */
  hint: string
  /** What was denied, in few words for people. */
  kept: string
  /** Accesses that would allow it, the least powerful first; empty where only another command would help. */
  opens: readonly SandboxAccess[]
}

/** Where the commands of a session run (docs/sandbox.md). */
export interface CommandSandbox {
  /** Commands cannot reach hermes' machine at all, so dangerous ones need no approval. */
  readonly isIsolated: boolean
  /** The sandbox of hermes' own machine, for what cannot run elsewhere: git hooks. */
  readonly local: CommandSandbox
  /**
   * Why nothing would contain a command here, as the end of a sentence; `undefined` where a sandbox works. Tested once
   * in a process, which takes some milliseconds.
   */
  problem(): Promise<string | undefined>
  /**
   * Why nothing here could limit commands to the named hosts, as the end of a sentence; `undefined` where a sandbox
   * can, or no hosts are named.
   */
  hostsProblem(): Promise<string | undefined>
  /**
   * Called once for each command, before it starts; asks for approval where needed.
   *
   * @param command as the model wrote it
   * @param mayReach whether it may be given a network; what never is runs in a sandbox that cannot hold hosts, too
   * @throws HermesError `APPROVAL_DENIED` where nothing would contain it and nobody agrees to that; `NOT_INSTALLED`
   *   where the sandbox that was asked for does not work here; `NETWORK_NOT_HELD`
   */
  admit(
    verb: string, command: string, approve: (request: ApprovalQuestion) => Promise<Consent>, mayReach?: boolean,
  ): Promise<SandboxName>
  /**
   * Makes the start of an admitted program; call `admit` first.
   *
   * @throws Node's error where there is no such program (`ENOENT`, `EACCES`); HermesError `POLICY_DENIED` for one that
   *   the sandbox does not show
   */
  confine(call: ProgramCall): Promise<ConfinedProgram>
  /** Kills what commands have left running, and waits until it is gone. */
  end(): Promise<void>
}
