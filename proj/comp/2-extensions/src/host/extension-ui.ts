import { readFileSync } from 'node:fs'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import type { ShowMessageParams } from '../kit/index.js'
import { usageError } from '../../../0-text/src/index.js'
import { checkAnswers, programmedUi } from './programmed-ui.js'
import { extensionWords, TerminalDialogues, type DialogueTerminal } from './terminal-dialogues.js'
import { noUi, type ExtensionUi } from './ui-port.js'

/** A terminal without a user to ask, and why; messages are still printed. */
export interface NobodyThere {
  why: string
  print: (text: string) => void
}

/**
 * The UI for extensions: predefined answers first, then the user at a terminal.
 *
 * @param answers path of a JSON file with answers
 */
export function extensionUi(answers: string | undefined, at: DialogueTerminal | NobodyThere): ExtensionUi {
  const user = 'why' in at ? printing(at) : new TerminalDialogues(at)
  return answers === undefined ? user : programmedUi(readAnswers(answers), user)
}

function printing({ why, print }: NobodyThere): ExtensionUi {
  const nobody = noUi(why)
  return {
    async request(method, params, context) {
      if (method !== 'ui/showMessage') return nobody.request(method, params, context)
      print(extensionWords(context.extension, params as ShowMessageParams, 120))
      return { acknowledged: true } as never
    },
  }
}

/** @throws HermesError `INVALID_OPTION` */
function readAnswers(file: string) {
  try {
    return checkAnswers(JSON.parse(readFileSync(file, 'utf8')), file)
  } catch (error) {
    if (error instanceof HermesError) throw error
    if (isNodeError(error)) {
      throw usageError(`Cannot read the answers in ${file} (${error.code})`, 'Give a JSON file that you may read.')
    }
    if (error instanceof SyntaxError) throw usageError(
      `Answers in ${file}: ${error.message}`, 'They are JSON: {"ui/showConfirm": [{"confirmed": true}]}.',
    )
    throw error
  }
}
