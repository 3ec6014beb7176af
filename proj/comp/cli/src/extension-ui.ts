import { readFileSync } from 'node:fs'
import { HermesError, isNodeError } from '../../contracts/src/index.js'
import { checkAnswers, noUi, programmedUi, type ExtensionUi } from '../../extension-host/src/index.js'
import type { ShowMessageParams } from '../../extension-kit/src/index.js'
import { usageError } from './arguments.js'
import { isUnattended } from './consent.js'
import { printWords, TerminalDialogues } from './extension-dialogues.js'
import { isTerminal } from './output.js'

/** Who answers extensions: a file of answers, then the user at the terminal; without one, messages are printed. */
export function extensionUi({ answers, usesStdin }: { answers: string | undefined; usesStdin: boolean }): ExtensionUi {
  const user = userOrNobody(usesStdin)
  return answers === undefined ? user : programmedUi(readAnswers(answers), user)
}

function userOrNobody(usesStdin: boolean): ExtensionUi {
  if (usesStdin) return printing('the message comes by standard input')
  if (isUnattended()) return printing('CI is set')
  if (!isTerminal('stdin') || !isTerminal('stderr')) return printing('standard input or standard error is no terminal')
  return new TerminalDialogues()
}

function printing(why: string): ExtensionUi {
  const nobody = noUi(why)
  return {
    async request(method, params, context) {
      if (method !== 'ui/showMessage') return nobody.request(method, params, context)
      printWords(context.extension, params as ShowMessageParams, 120)
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
