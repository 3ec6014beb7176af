import { HermesError } from '../../../0-contracts/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import type { Arguments } from '../arguments.js'
import { askYes, mayAsk } from './ask-yes.js'
import { printError } from './output.js'

/**
 * Does what goes by the journal. Where that is not signed with the user's key, the flag or a yes at the terminal lets
 * it count all the same: then it is signed, so that nobody is asked again.
 *
 * @throws HermesError `UNTRUSTED_JOURNAL` without either; all that `act` throws
 */
export async function trustingJournal<T>(
  args: Arguments, signal: AbortSignal, act: (trustJournal: boolean) => Promise<T>,
): Promise<T> {
  try {
    return await act(args.has('trust-journal'))
  } catch (error) {
    if (!(error instanceof HermesError) || error.code !== 'UNTRUSTED_JOURNAL' || args.has('json') || !mayAsk()) {
      throw error
    }
    printError(`hermes: ${escapeControls(error.message)}\n`)
    if (!await askYes('Did you make these runs yourself, so that the journal can be taken as yours?', false, signal)) {
      throw error
    }
    return act(true)
  }
}
