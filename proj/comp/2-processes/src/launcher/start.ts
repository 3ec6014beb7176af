import { spawn, type ChildProcess } from 'node:child_process'
import { withoutInherited } from './closed-descriptors.js'
import type { Environment } from './environment.js'
import { findProgram } from './find-program.js'
import { HAS_GROUPS } from './signals.js'
import { StartedProgram } from './started-program.js'

/** What a descriptor of a program is: closed, inherited from hermes, or a pipe to hermes. */
export type Descriptor = 'ignore' | 'inherit' | 'pipe'
/** By number, from descriptor 0 on. */
export type Descriptors = readonly [Descriptor, Descriptor, Descriptor, ...Descriptor[]]
/** Descriptors of hermes that a program gets as its first three. */
type HeldDescriptors = readonly [number, number, number]

const STDIO: Descriptors = ['ignore', 'pipe', 'pipe']

/** A program to start. No shell of this machine is involved. */
export interface ProgramStart {
  /** A name to search in PATH of `env`, or a path. */
  program: string
  args?: readonly string[]
  /** Absolute. Default: hermes' working directory. */
  cwd?: string | undefined
  /** The complete environment; nothing is inherited. For hermes' own programs see `ownEnvironment`. */
  env: Environment
  /** Default: no input, and pipes for output. */
  stdio?: Descriptors | HeldDescriptors
  /** It leads a process group, so that its children can be killed with it. Default false. */
  leadsGroup?: boolean
  /** It keeps running when hermes ends, and hermes does not wait for it. Default false. */
  outlivesHermes?: boolean
  /** It is named by users and models: on Windows it may be a script such as `npx.cmd`. Default false. */
  mayBeScript?: boolean
  /** The arguments are a finished Windows command line. Default false. */
  isVerbatim?: boolean
}

/**
 * Starts a program, by its absolute path if PATH has it.
 *
 * @throws Node's error where it cannot be started (`ENOENT`, `EACCES`, `E2BIG`, …)
 */
export async function start(call: ProgramStart): Promise<StartedProgram> {
  const { child } = call.mayBeScript && process.platform === 'win32' ? await spawnOnWindows(call)
    : { child: spawnChild(call) }
  if (child.pid === undefined) throw await new Promise<Error>(resolve => child.once('error', resolve))
  const started = new StartedProgram(child, child.pid, call.leadsGroup ?? false, (call.stdio ?? STDIO).length)
  if (call.outlivesHermes) started.letGo()
  return started
}

function spawnChild({ program, args = [], ...call }: ProgramStart): ChildProcess {
  const { cwd, env, stdio = STDIO, isVerbatim = false } = call
  return spawn(locate(program, call), [...args], {
    // A program may behave differently depending on the name by which it was started.
    argv0: program, cwd, env: { ...env }, stdio: withoutInherited<HeldDescriptors[0] | Descriptor>(stdio),
    detached: isDetached(call), windowsHide: true, windowsVerbatimArguments: isVerbatim,
  })
}

/**
 * Starts it by execa, which can start scripts on Windows.
 *
 * @throws Node's error
 */
async function spawnOnWindows({ program, args = [], ...call }: ProgramStart): Promise<{ child: ChildProcess }> {
  const { execa } = await import('execa')
  const { cwd, env, stdio = STDIO, isVerbatim = false } = call
  const child = execa(program, args, {
    // Programs that may be scripts never get held descriptors.
    ...(cwd !== undefined && { cwd }), env: { ...env }, extendEnv: false, stdio: stdio as Descriptors,
    detached: isDetached(call), buffer: false, reject: false, encoding: 'buffer', cleanup: false,
    windowsVerbatimArguments: isVerbatim,
  })
  if (child.pid === undefined) throw (await child).cause
  // Wrapped, since execa's child is also a promise of its end.
  return { child }
}

/**
 * The only place where a program's name is resolved to a file. Paths, and names that the system resolves by rules of
 * its own, are left to the system.
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
