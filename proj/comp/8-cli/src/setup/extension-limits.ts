import { usageError, type Arguments } from '../arguments.js'
import { MAX_SECONDS } from './apply-options.js'

/** The value of `--ext-timeout` in milliseconds. @throws HermesError `INVALID_OPTION` */
export function extensionTimeout(args: Arguments): number | undefined {
  const written = args.value('ext-timeout')
  if (written === undefined) return undefined
  const seconds = /^\d*\.?\d+$/.test(written) ? Number(written) : NaN
  if (seconds >= 0.001 && seconds <= MAX_SECONDS) return Math.round(seconds * 1000)
  throw usageError(
    `Invalid time limit: ${written}`, `--ext-timeout is in seconds, e.g. 30 or 0.5; at most ${MAX_SECONDS}.`,
  )
}

/** Workers elsewhere have the extensions of their own users. @throws HermesError `INVALID_OPTION` */
export function requireNoQueue(args: Arguments): void {
  if (!args.has('queue') || !args.has('extension')) return
  throw usageError(
    '--extension and --queue cannot be given together', 'Leave one out: workers have extensions of their own users.',
  )
}
