import { spawnSync } from 'node:child_process'
import { isNodeError } from '../../../0-contracts/src/index.js'
import { locate, type Descriptor, type ProgramStart } from './start.js'

/** A program that the whole of hermes waits for: an editor, npm. */
export interface ProgramRunNow extends Pick<ProgramStart, 'program' | 'args' | 'cwd' | 'env'> {
  /** A number is a descriptor of hermes. */
  stdio: Descriptor | readonly (Descriptor | number)[]
  /** What it reads, where its standard input is a pipe. */
  input?: string
  /** What Windows' shell is given instead: it alone starts scripts. */
  windowsLine?: string | undefined
}

export interface NowOutcome {
  /** `null` when a signal ended it, or it could not be started. */
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** Empty but for a pipe. */
  stdout: string
  /** Why it could not be started, or be read. */
  error: Error | undefined
}

/** Runs a program and waits for its end, with all that hermes does: for one that has the user's terminal. */
export function runNow({ program, args = [], windowsLine, cwd, env, stdio, input }: ProgramRunNow): NowOutcome {
  const options = {
    cwd, env: { ...env }, stdio: typeof stdio === 'string' ? stdio : [...stdio], encoding: 'utf8',
    ...(input !== undefined && { input }),
  } as const
  try {
    const { status, signal, stdout, error } = windowsLine !== undefined && process.platform === 'win32'
      ? spawnSync(windowsLine, { ...options, shell: true })
      : spawnSync(locate(program, { cwd, env }), [...args], { ...options, argv0: program })
    return { exitCode: status, signal, stdout: stdout ?? '', error }
  } catch (error) {
    if (!isNodeError(error)) throw error
    return { exitCode: null, signal: null, stdout: '', error }
  }
}
