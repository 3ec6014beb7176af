import { EXIT } from './output.js'

/** Signals that end hermes, and its exit codes for them. */
const ENDS = { SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 } as const
const SIGNALS = { SIGINT: EXIT.interrupted, ...ENDS }

export interface Interrupt {
  signal: AbortSignal
  /** Set once the run was interrupted. */
  readonly exitCode: number | undefined
  /** Runs `task`; the first signal aborts it gracefully, the second ends the process at once. */
  during<T>(task: () => Promise<T>): Promise<T>
}

/** As `interrupt.during`; `undefined` where the task fails after a signal: what the signal ended has not failed. */
export async function unlessInterrupted<T>(interrupt: Interrupt, task: () => Promise<T>): Promise<T | undefined> {
  try {
    return await interrupt.during(task)
  } catch (error) {
    if (interrupt.exitCode === undefined) throw error
    return undefined
  }
}

/**
 * Turns SIGINT, SIGTERM, SIGHUP and SIGQUIT into an abort, so that running commands are ended and the report is
 * printed.
 */
export function interruptible(): Interrupt {
  const controller = new AbortController()
  let exitCode: number | undefined
  const listeners = Object.fromEntries(Object.entries(SIGNALS).map(([name, code]) => [name, () => {
    if (exitCode !== undefined) process.exit(exitCode)
    exitCode = code
    controller.abort()
  }]))
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode
    },
    during: (task) => whileListening(listeners, task),
  }
}

/** Runs a dialogue: Ctrl-C is its own, and other signals make it end with their exit code. */
export function duringDialogue<T>(
  { interrupt, leave }: { interrupt: () => unknown; leave: (code: number) => unknown }, task: () => Promise<T>,
): Promise<T> {
  const ends = Object.entries(ENDS).map(([name, code]) => [name, () => leave(code)] as const)
  return whileListening({ SIGINT: interrupt, ...Object.fromEntries(ends) }, task)
}

async function whileListening<T>(listeners: Record<string, () => unknown>, task: () => Promise<T>): Promise<T> {
  for (const [name, listener] of Object.entries(listeners)) process.on(name, listener)
  try {
    return await task()
  } finally {
    for (const [name, listener] of Object.entries(listeners)) process.off(name, listener)
  }
}
