import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { extensionUi, type ExtensionUi, type PreparedAnswer } from '../../../2-extensions/src/index.js'
import type { Hermes } from '../../../5-executor/src/index.js'
import type { Arguments } from '../arguments.js'
import { isUnattended } from '../io/consent-options.js'
import { withKeys } from '../../../2-terminal/src/index.js'
import { unlessInterrupted, type Interrupt } from '../io/interrupt.js'
import { isTerminal, printError, say } from '../io/output.js'
import { existingRoot } from './existing-root.js'
import { extensionTimes, type ExtensionOptions } from './extension-limits.js'

/** Options for a session's extensions. */
export function extensionOptions(args: Arguments, usesStdin: boolean): ExtensionOptions {
  return {
    extensionUi: userOfExtensions(args, usesStdin), ...extensionTimes(args), onExtensionWarning: say,
  }
}

/**
 * Applies the session's extensions to an answer; `undefined` where there are none, or it was interrupted.
 *
 * @throws HermesError where one of them fails: then nothing must run
 */
export async function prepared(
  hermes: Hermes, text: string, interrupt: Interrupt, filePath?: string,
): Promise<PreparedAnswer | undefined> {
  const answer = await unlessInterrupted(interrupt, async () => hermes.prepare(text, {
    signal: interrupt.signal, ...(filePath !== undefined && { filePath: resolve(filePath) }),
  }))
  // Their protocol errors are reported with the result of the run.
  answer?.notes.forEach(say)
  return answer
}

/** Who answers dialogues of extensions: the file of `--answers`, then the user at the terminal. */
export function userOfExtensions(args: Arguments, usesStdin: boolean): ExtensionUi {
  const why = usesStdin ? 'the message comes by standard input' : isUnattended() ? 'CI is set'
    : isTerminal('stdin') && isTerminal('stderr') ? undefined : 'standard input or standard error is no terminal'
  return extensionUi(args.value('answers'), why === undefined
    ? { input: process.stdin, output: process.stderr, print: printError, withKeys } : { why, print: printError })
}

export function canonicalRoot(args: Arguments): string {
  return realpathSync.native(existingRoot(args))
}
