import { setTimeout as sleep } from 'node:timers/promises'

/** In milliseconds. */
export interface EndingTimes {
  /** Between SIGTERM and SIGKILL. */
  grace: number
  /** How long the kernel may take to end what got SIGKILL. */
  kill: number
}

/** Between two looks at what is left, in milliseconds. */
export const POLL_MS = 10

/**
 * Ends processes: SIGTERM, and SIGKILL to what still lives after the grace. Returns at once when nothing is left.
 *
 * @param signalAll to all that are left; 0 asks only. Returns whether there are any
 */
export async function endProcesses(
  signalAll: (signal: NodeJS.Signals | 0) => boolean, { grace, kill }: EndingTimes,
): Promise<void> {
  if (!signalAll('SIGTERM')) return
  // What is stopped hears it only when it goes on.
  signalAll('SIGCONT')
  if (await isGone(() => signalAll(0), grace)) return
  // Again and again, for what was started in between.
  await isGone(() => signalAll('SIGKILL'), kill)
}

/**
 * Bounded, since members that nobody reaps (containers without an init) keep a group in being after their end. Looks
 * twice: while the kernel starts another program in a process, its environment is empty, so that the run's mark is
 * missed.
 */
async function isGone(isThere: () => boolean, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds
  let wasGone = false
  while (performance.now() < end) {
    const isLeft = isThere()
    if (!isLeft && wasGone) return true
    wasGone = !isLeft
    await sleep(POLL_MS)
  }
  return !isThere()
}
