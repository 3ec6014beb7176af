import { inherited } from './closed-descriptors.js'
import { findProgram } from './find-program.js'
import { locate } from './start.js'

/** PATH for system programs. */
const SYSTEM_PATH = '/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin'

/** A program on a pseudoterminal; the part of the package's interface used here. */
export interface Pty {
  readonly pid: number
  onData(listener: (data: Buffer) => void): unknown
  onExit(listener: (exit: { exitCode: number; signal?: number }) => void): unknown
  write(data: string): void
  destroy(): void
}

export interface PtyOptions {
  cols: number
  rows: number
  cwd: string
  env: Readonly<Record<string, string>>
  /** Output as raw bytes. */
  encoding: null
}

export interface PtyModule {
  /** @throws Node's error where the program cannot be started */
  spawn(file: string, args: string[], options: PtyOptions): Pty
}

/**
 * The pty package, adapted to the launcher's rules: programs are started by absolute path, and without the files left
 * open by whoever started hermes, which the package would pass on.
 */
export function locatingPty(pty: PtyModule): PtyModule {
  return {
    spawn(file, args, options) {
      const program = locate(file, options)
      const open = inherited()
      if (open.length === 0) return pty.spawn(program, args, options)
      // Among common shells, only bash can close descriptors with two digits.
      const script = `exec ${open.map(number => `${number}>&-`).join(' ')}; exec "$@"`
      const bash = findProgram('bash', SYSTEM_PATH)
      return pty.spawn(bash, ['--norc', '--noprofile', '-pc', script, 'bash', program, ...args], options)
    },
  }
}
