/** Longest delay Node's timers take, in milliseconds. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1

/** How long a program may run. */
export interface Bounds {
  /** Ends it. */
  signal?: AbortSignal
  /** Default: none. */
  timeoutMs?: number | undefined
}

/**
 * What comes first: the exit (`undefined`), an abort, the time limit, or another reason to end a program.
 *
 * @param others given what is aborted when nobody waits for them any more
 */
export async function firstStop<Reason>(
  exited: Promise<unknown>, { signal, timeoutMs }: Bounds, others: (done: AbortSignal) => readonly Promise<Reason>[],
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

/** @param done ends the waiting */
export function whenAborted(signal: AbortSignal | undefined, done: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal?.aborted) resolve()
    signal?.addEventListener('abort', () => resolve(), { signal: done })
  })
}
