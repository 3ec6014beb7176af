import type { ExecutorOptions } from '../../5-executor/src/index.js'

/** What the user who starts the server says; what a client asks for can only narrow it. */
export interface ServeOptions {
  /** For every session. */
  settings: Pick<
    ExecutorOptions,
    'root' | 'allow' | 'rootAliases' | 'relativePaths' | 'toolsets' | 'editFormats' | 'mapping' | 'match' | 'checks'
    | 'gitCommit' | 'durable' | 'waitMs' | 'timeoutMs' | 'sandbox' | 'network' | 'policy' | 'secrets'
  >
  /**
   * Clients work in `settings.root` or one of `settings.allow`, and in nothing else. Otherwise the root is theirs to
   * choose, as for a program that they start themselves.
   */
  bounded: boolean
  /** Of hermes. */
  version: string
  /** One line for the log of the server. */
  log: (line: string) => void
  /** Aborting it ends the server: running commands are ended, journals are finished. */
  signal: AbortSignal
}
