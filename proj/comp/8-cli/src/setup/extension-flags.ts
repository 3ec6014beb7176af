import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { keptOptions } from '../../../2-config/src/index.js'
import { isNodeError } from '../../../0-contracts/src/index.js'
import {
  configuredExtension, extensionUi, rewriteByExtensions, type ExtensionUi,
} from '../../../2-extensions/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import { usageError, type Arguments } from '../arguments.js'
import { isUnattended } from '../io/consent-options.js'
import { withKeys } from '../../../2-terminal/src/index.js'
import type { Interrupt } from '../io/interrupt.js'
import { isTerminal, printError } from '../io/output.js'
import { isStdin } from '../io/read-input.js'
import { MAX_SECONDS, type ApplyOptions } from './apply-options.js'

/**
 * The text of an answer as the extensions of `--extension` leave it, one after the other.
 *
 * @throws HermesError where one of them fails: then nothing is to run; not when it was interrupted
 */
export async function rewritten(
  args: Arguments, text: string, given: ApplyOptions, interrupt: Interrupt,
): Promise<string> {
  const { editFormats, startsInThink } = { ...given, ...await keptOptions(given) }
  const [file] = args.positionals
  const usesStdin = isStdin(file)
  const options = {
    root: canonicalRoot(args), editFormats, startsInThink, limitMs: extensionTimeout(args), signal: interrupt.signal,
    ui: userOfExtensions(args, usesStdin), warn, tell: warn, prefix: '--extension ',
    hint: 'Nothing was run. --log with hermes ext run shows what it writes to standard error.',
    ...(!usesStdin && { filePath: resolve(file) }),
  }
  try {
    return await interrupt.during(() =>
      rewriteByExtensions(text, args.values('extension'), configuredExtension, options))
  } catch (error) {
    // What the signal ended is no failure of its own.
    if (interrupt.exitCode === undefined) throw error
    return text
  }
}

/** Who answers extensions: the file of `--answers`, then the user at the terminal. */
export function userOfExtensions(args: Arguments, usesStdin: boolean): ExtensionUi {
  const why = usesStdin ? 'the message comes by standard input' : isUnattended() ? 'CI is set'
    : isTerminal('stdin') && isTerminal('stderr') ? undefined : 'standard input or standard error is no terminal'
  return extensionUi(args.value('answers'), why === undefined
    ? { input: process.stdin, output: process.stderr, print: printError, withKeys } : { why, print: printError })
}

/** @throws HermesError `INVALID_OPTION` */
export function canonicalRoot(args: Arguments): string {
  const root = args.value('root') ?? process.cwd()
  try {
    return realpathSync.native(root)
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw usageError(`No such directory: ${root}`, '--root names the directory to work in.')
  }
}

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

export function warn(line: string): void {
  printError(`hermes: ${escapeControls(line)}\n`)
}
