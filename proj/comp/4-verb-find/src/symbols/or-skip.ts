import { HermesError, isNodeError, text, titled } from '../../../0-contracts/src/index.js'
import { formatNodeError } from '../../../2-files/src/index.js'
import type { SkippedFile } from '../../../3-code-index/src/index.js'

/** A file or directory that was passed over, in the result of a verb. */
export const skippedFile = titled('SkippedFile', {
  path: text('File or directory.'), reason: text('Why it was passed over.'),
})

const PASSED_OVER = new Set(['FILE_TOO_LARGE', 'NOT_TEXT', 'TIMEOUT'])

/**
 * What `read` returns, or `undefined` where the file cannot be used.
 *
 * @param onSkip told of that: one line
 */
export async function orSkip<Value>(
  verb: string, path: string, onSkip: (skipped: SkippedFile) => void, read: () => Value | Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isNodeError(error)) onSkip({ path, reason: formatNodeError(error, path, verb) })
    else if (error instanceof HermesError && PASSED_OVER.has(error.code)) onSkip({ path, reason: error.message })
    else throw error
    return undefined
  }
}
