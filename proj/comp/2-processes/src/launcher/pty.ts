import { locate } from './start.js'

/** A program on a pseudoterminal, as far as it is used here. */
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
  /** Bytes as they come. */
  encoding: null
}

export interface PtyModule {
  /** @throws Node's error where the program cannot be started */
  spawn(file: string, args: string[], options: PtyOptions): Pty
}

/** The package that makes pseudoterminals, starting programs by an absolute path like all of the launcher. */
export function locatingPty(pty: PtyModule): PtyModule {
  return { spawn: (file, args, options) => pty.spawn(locate(file, options), args, options) }
}
