import { spawn, type ChildProcess } from 'node:child_process'
import type { Environment } from './environment.js'
import { findProgram } from './find-program.js'
import { HAS_GROUPS } from './signals.js'
import { StartedProgram } from './started-program.js'

/** What a descriptor of a program is: nothing, that of hermes, or a pipe to it. */
export type Descriptor = 'ignore' | 'inherit' | 'pipe'
/** From descriptor 0 on. */
export type Descriptors = readonly [Descriptor, Descriptor, Descriptor, ...Descriptor[]]
/** Descriptors of hermes, by their numbers, that a program has as its first three. */
type HeldDescriptors = readonly [number, number, number]

const STDIO: Descriptors = ['ignore', 'pipe', 'pipe']

/** What is started, and how. No shell of this machine reads any of it. */
export interface ProgramStart {
  /** A name that is looked for in PATH of `env`, or a path. */
  program: string
  args?: readonly string[]
  /** Absolute. Default: the directory hermes runs in. */
  cwd?: string | undefined
  /** The whole of it: nothing is passed on by itself. For hermes' own programs there is `ownEnvironment`. */
  env: Environment
  /** Default: nothing to read, pipes for what it prints. */
  stdio?: Descriptors | HeldDescriptors
  /** It leads a process group of its own, so that what it starts is ended with it. Default false. */
  leadsGroup?: boolean
  /** It goes on when hermes ends, and hermes does not wait for it. Default false. */
  outlivesHermes?: boolean
  /** Users and models name it: on Windows it may be a script such as `npx.cmd`. Default false. */
  mayBeScript?: boolean
  /** The arguments are a command line of Windows already. Default false. */
  isVerbatim?: boolean
}

/**
 * Starts a program, by an absolute path wherever PATH has one.
 *
 * @throws Node's error where it cannot be started (`ENOENT`, `EACCES`, `E2BIG`, …)
 */
export async function start(call: ProgramStart): Promise<StartedProgram> {
  const { child } = call.mayBeScript && process.platform === 'win32' ? await spawnOnWindows(call)
    : { child: spawnChild(call) }
  if (child.pid === undefined) throw await new Promise<Error>(resolve => child.once('error', resolve))
  const started = new StartedProgram(child, child.pid, call.leadsGroup ?? false)
  if (call.outlivesHermes) started.letGo()
  return started
}

function spawnChild({ program, args = [], ...call }: ProgramStart): ChildProcess {
  const { cwd, env, stdio = STDIO, isVerbatim = false } = call
  return spawn(locate(program, call), [...args], {
    // A program may look at the name it was started by.
    argv0: program, cwd, env: { ...env }, stdio: [...stdio], detached: isDetached(call), windowsHide: true,
    windowsVerbatimArguments: isVerbatim,
  })
}

/** By execa, which knows how scripts are started there. @throws Node's error */
async function spawnOnWindows({ program, args = [], ...call }: ProgramStart): Promise<{ child: ChildProcess }> {
  const { execa } = await import('execa')
  const { cwd, env, stdio = STDIO, isVerbatim = false } = call
  const child = execa(program, args, {
    // Nothing that may be a script is given held ones.
    ...(cwd !== undefined && { cwd }), env: { ...env }, extendEnv: false, stdio: stdio as Descriptors,
    detached: isDetached(call), buffer: false, reject: false, encoding: 'buffer', cleanup: false,
    windowsVerbatimArguments: isVerbatim,
  })
  if (child.pid === undefined) throw (await child).cause
  // In a record, since execa's is also a promise of its end.
  return { child }
}

/**
 * The one place where a name becomes the file that is started. What is a path already, and what the system looks for
 * by rules of its own, is left to it.
 *
 * @throws Node's error
 */
export function locate(program: string, { env, cwd }: Pick<ProgramStart, 'env' | 'cwd'>): string {
  const { PATH: path } = env
  if (program.includes('/') || path === undefined || process.platform === 'win32') return program
  return findProgram(program, path, cwd ?? '.')
}

function isDetached({ leadsGroup = false, outlivesHermes = false }: Partial<ProgramStart>): boolean {
  return outlivesHermes || (leadsGroup && HAS_GROUPS)
}
