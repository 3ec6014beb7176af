/** Longest delay of Node's timers, in milliseconds. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1

/** How long a program may run. */
export interface Bounds {
  /** Aborting it ends the program. */
  signal?: AbortSignal
  /** Time limit in milliseconds. Default: none. */
  timeoutMs?: number | undefined
}

/**
 * The first of: the exit (`undefined`), an abort, the time limit, or another reason to end a program.
 *
 * @param others gets a signal that is aborted when they are no longer needed
 */
export async function firstStop<Reason>(
  exited: Promise<unknown>, { signal, timeoutMs }: Bounds,
  others: (done: AbortSignal) => readonly Promise<Reason>[] = () => [],
): Promise<'cancelled' | 'timeout' | Reason | undefined> {
  const done = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<'timeout'>(resolve => {
    if (timeoutMs === undefined) return
    timer = setTimeout(() => resolve('timeout'), Math.min(timeoutMs, LONGEST_TIMER_MS))
  })
  const cancelled = whenAborted(signal, done.signal).then(() => 'cancelled' as const)
  try {
    return await Promise.race([exited.then(() => undefined), ...others(done.signal), cancelled, timeout])
  } finally {
    clearTimeout(timer)
    done.abort()
  }
}

/** @param done aborted when the result is no longer needed; default: it always is */
export function whenAborted(signal: AbortSignal | undefined, done?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal?.aborted) resolve()
    signal?.addEventListener('abort', () => resolve(), done && { signal: done })
  })
}
