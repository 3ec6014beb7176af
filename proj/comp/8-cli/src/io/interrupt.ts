import { EXIT } from '../exit-codes.js'

const SIGNALS = { SIGINT: EXIT.interrupted, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 } as const

export interface Interrupt {
  signal: AbortSignal
  /** Set once the run was interrupted. */
  readonly exitCode: number | undefined
  /** Runs `task`; the first signal aborts it gracefully, the second ends the process at once. */
  during<T>(task: () => Promise<T>): Promise<T>
}

/**
 * Turns SIGINT, SIGTERM, SIGHUP and SIGQUIT into an abort, so that running commands are ended and the report is
 * printed.
 */
export function interruptible(): Interrupt {
  const controller = new AbortController()
  let exitCode: number | undefined
  const interrupt = (signal: keyof typeof SIGNALS): void => {
    if (exitCode !== undefined) process.exit(exitCode)
    exitCode = SIGNALS[signal]
    controller.abort()
  }
  const names = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode
    },
    async during(task) {
      for (const name of names) process.on(name, interrupt)
      try {
        return await task()
      } finally {
        for (const name of names) process.off(name, interrupt)
      }
    },
  }
}
