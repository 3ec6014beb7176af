import { HermesError } from '../../../0-contracts/src/index.js'
import { ExtensionHost, type ExtensionHostOptions } from './extension-host.js'

/**
 * Starts an extension, does something with it, and stops it, whatever happens.
 *
 * @param warn told of what it did wrong though it works, one line each
 * @throws HermesError as `ExtensionHost.start` does, and what `task` throws
 */
export async function withExtension<Result>(
  options: ExtensionHostOptions, signal: AbortSignal, warn: (line: string) => void,
  task: (host: ExtensionHost) => Promise<Result>,
): Promise<Result> {
  const host = await ExtensionHost.start(options, signal)
  let failure: unknown
  try {
    return await task(host)
  } catch (error) {
    failure = error
    throw error
  } finally {
    await host.stop(signal.aborted ? 'interrupted' : failure === undefined ? 'closing' : 'error')
    // A failure of its own says all that there is to say.
    if (!(failure instanceof HermesError && failure.code === 'EXTENSION_FAILED')) {
      for (const line of host.warnings) warn(line)
    }
  }
}
