import type { ExecutorOptions } from '../../../5-executor/src/index.js'
import { usageError, type Arguments } from '../arguments.js'
import { milliseconds } from './apply-options.js'

export type ExtensionOptions = Pick<
  ExecutorOptions, 'extensions' | 'extensionUi' | 'extensionLimitMs' | 'extensionQuietMs' | 'onExtensionWarning'
>

/** The value of `--ext-timeout` in milliseconds. @throws HermesError `INVALID_OPTION` */
export function extensionTimeout(args: Arguments): number | undefined {
  return milliseconds(args, 'ext-timeout', 'time limit', 'e.g. 30 or 0.5')
}

/** The value of `--ext-quiet` in milliseconds. @throws HermesError `INVALID_OPTION` */
export function extensionQuiet(args: Arguments): number | undefined {
  return milliseconds(args, 'ext-quiet', 'time', 'e.g. 1 or 0.5')
}

/** What the flags say of the times of extensions. @throws HermesError `INVALID_OPTION` */
export function extensionTimes(args: Arguments): Pick<ExecutorOptions, 'extensionLimitMs' | 'extensionQuietMs'> {
  return { extensionLimitMs: extensionTimeout(args), extensionQuietMs: extensionQuiet(args) }
}

/** Workers elsewhere have the extensions of their own users. @throws HermesError `INVALID_OPTION` */
export function requireNoQueue(args: Arguments): void {
  if (!args.has('queue') || !args.has('extension')) return
  throw usageError(
    '--extension and --queue cannot be given together', 'Leave one out: workers have extensions of their own users.',
  )
}
