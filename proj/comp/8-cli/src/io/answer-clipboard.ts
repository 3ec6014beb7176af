import { caughtLater, HermesError } from '../../../0-contracts/src/index.js'
import { writeClipboard } from '../../../2-terminal/src/index.js'
import { usageError } from '../arguments.js'
import { say } from './output.js'

export { readClipboard, writeClipboard } from '../../../2-terminal/src/index.js'

/** For what comes after a run, which has counted: it only tells of a clipboard that is not there. */
export async function handBack(text: string): Promise<void> {
  await caughtLater(HermesError, () => writeClipboard(text), ({ message }) => say(message))
}

/** @throws HermesError `INVALID_OPTION` where the answer would come from two places */
export function requireNoFile(file: string | undefined): void {
  if (file !== undefined) throw usageError(
    '--clipboard and a file cannot be given together', 'Leave one of them out: the answer comes from one place.',
  )
}
