import { spawnSync } from 'node:child_process'
import { isNodeError } from '../../../0-contracts/src/index.js'
import { locate, type Descriptor, type ProgramStart } from './start.js'

/** A program that blocks all of hermes while it runs: an editor, npm. */
export interface ProgramRunNow extends Pick<ProgramStart, 'program' | 'args' | 'cwd' | 'env'> {
  /** A number is a descriptor of hermes. */
  stdio: Descriptor | readonly (Descriptor | number)[]
  /** Its input, where standard input is a pipe. */
  input?: string
  /** Command line for Windows' shell, which alone can start scripts. */
  windowsLine?: string | undefined
}

export interface NowOutcome {
  /** `null` when a signal ended it, or it could not be started. */
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** Empty unless it is a pipe. */
  stdout: string
  /** Why it could not be started, or its output not read. */
  error: Error | undefined
}

/** Runs a program and blocks until it ends; for programs that use the user's terminal. */
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
