/**
 * A signal that is aborted when one of those given is. Unlike with `AbortSignal.any`, which in Node 20 lets a signal
 * that lives on keep something of each that was made of it, nothing is left after `release`.
 */
export function joinSignals(
  signals: readonly (AbortSignal | undefined)[],
): { signal: AbortSignal; release: () => void } {
  const given = signals.filter((signal) => signal !== undefined)
  const [only] = given
  if (only && given.length === 1) return { signal: only, release: () => undefined }
  const controller = new AbortController()
  const aborted = given.find((signal) => signal.aborted)
  if (aborted) controller.abort(aborted.reason)
  const abort = ({ target }: Event): void => controller.abort((target as AbortSignal).reason)
  for (const signal of given) signal.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    release() {
      for (const signal of given) signal.removeEventListener('abort', abort)
    },
  }
}
