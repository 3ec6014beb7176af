import { setTimeout as sleep } from 'node:timers/promises'

/** Waits, or until the signal is aborted: then it just returns. */
export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined)
}
