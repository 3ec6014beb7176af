import { HermesError } from '../../../0-contracts/src/index.js'
import { writeClipboard } from '../../../2-terminal/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import { usageError } from '../arguments.js'
import { printError } from './output.js'

export { readClipboard, writeClipboard } from '../../../2-terminal/src/index.js'

/** For what comes after a run, which has counted: it only tells of a clipboard that is not there. */
export async function handBack(text: string): Promise<void> {
  try {
    await writeClipboard(text)
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    printError(`hermes: ${escapeControls(error.message)}\n`)
  }
}

/** @throws HermesError `INVALID_OPTION` where the answer would come from two places */
export function requireNoFile(file: string | undefined): void {
  if (file !== undefined) throw usageError(
    '--clipboard and a file cannot be given together', 'Leave one of them out: the answer comes from one place.',
  )
}
