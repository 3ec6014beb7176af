import { addPackages, HermesError, isNodeError } from '../../../0-contracts/src/index.js'
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

const PACKAGE = '@lydell/node-pty'
const HINT = `exec and execute_command run commands without a terminal. The user can add it: ${addPackages(PACKAGE)}.`

/**
 * The package that makes pseudoterminals; it is optional, and loaded for the first shell.
 *
 * @throws HermesError `NOT_INSTALLED`
 */
export async function loadPty(verb: string): Promise<PtyModule> {
  if (process.platform === 'win32') {
    throw new HermesError('NOT_INSTALLED', `${verb}: there are no shells on a terminal on Windows yet`, {
      hint: 'exec and execute_command run commands without a terminal.',
    })
  }
  try {
    const loaded = await import('@lydell/node-pty') as unknown as PtyModule & { default?: PtyModule }
    const pty = loaded.default ?? loaded
    return { spawn: (file, args, options) => pty.spawn(locate(file, options), args, options) }
  } catch (error) {
    const isAbsent = isNodeError(error) && error.code === 'ERR_MODULE_NOT_FOUND'
    const [why = ''] = String(error instanceof Error ? error.message : error).split('\n')
    const what = isAbsent ? 'is not installed' : `cannot be loaded here: ${why}`
    throw new HermesError('NOT_INSTALLED', `${verb}: the package ${PACKAGE} ${what}`, {
      hint: HINT, cause: error,
    })
  }
}
