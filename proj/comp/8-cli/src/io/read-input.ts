import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { caught, HermesError, isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { decodeInput, type DecodeOptions } from '../../../2-files/src/index.js'
import { clip, lineFeeds, shellWord } from '../../../0-text/src/index.js'
import { didYouMean, usageError } from '../arguments.js'
import { isTerminal, printError } from './output.js'

/** How much is shown of a text that was given in place of a file name, in UTF-16 units. */
const MOST_SHOWN = 60

/** Its name in messages. */
export const STDIN = 'Standard input'

/** Whether the text comes from standard input: for `-` and without a name. */
export function isStdin(file: string | undefined): file is '-' | undefined {
  return file === undefined || file === '-'
}

/** @throws HermesError where no file is named and standard input is a terminal */
export function requireInput(command: string, file: string | undefined): void {
  if (file !== undefined || !isTerminal('stdin')) return
  const hint = `Write hermes ${command} FILE, or pipe a text into hermes ${command}; `
    + `hermes ${command} - waits for a paste.`
  throw usageError('No FILE given, and standard input is a terminal', hint)
}

/**
 * Reads the text for a command: a file (or a named pipe), or standard input for `-` and without a name. If all lines
 * end in CRLF they are read as LF, unless `keepsMark` says that the text will be written again.
 *
 * @throws HermesError where no file is named and standard input is a terminal, and for what cannot be read as UTF-8
 * text
 */
export async function readInput(
  command: string, file: string | undefined, options: DecodeOptions = {},
): Promise<string> {
  requireInput(command, file)
  const [bytes, name] = isStdin(file) ? [await readStdin(), STDIN] : [readNamed(command, file), file]
  const text = decodeInput(bytes, name, options)
  return options.keepsMark === true ? text : lineFeeds(text)
}

/**
 * Says at a terminal that a text is awaited, since hermes would seem to hang. @param more further advice for pasting
 */
export function tellAwaited(more = ''): void {
  if (!isTerminal('stdin')) return
  const end = process.platform === 'win32' ? 'Ctrl-Z and Enter' : 'Ctrl-D'
  printError(`hermes: Paste the text here; ${end} on a line of its own ends it.${more}\n`)
}

async function readStdin(): Promise<Buffer> {
  tellAwaited()
  const chunks: Buffer[] = []
  try {
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  } catch (error) {
    throw asStdinFailure(error)
  }
  return Buffer.concat(chunks)
}

/** What to throw for an error of reading standard input. */
export function asStdinFailure(error: unknown): unknown {
  if (!isNodeError(error)) return error
  return failure(error.code, `Cannot read standard input (${error.code})`, 'Give a file instead.')
}

function readNamed(command: string, file: string): Buffer {
  return caught(isNodeError, () => readFileSync(file), (error) => {
    throw unreadable(command, file, error.code)
  })
}

/** Recognises a text that was given in place of a file name. */
const IS_TEXT = /\n|^\s*(?:[{[<]|#!|```|verb:)/

function unreadable(command: string, file: string, code: string): HermesError {
  if (IS_TEXT.test(file)) {
    const hint = `Pipe it in: echo ${shellWord(file)} | hermes ${command}`
    return failure(code, `A text and no file: ${clip(file, MOST_SHOWN)}`, hint)
  }
  if (/^https?:/.test(file)) {
    const hint = `Fetch it first: curl -sLo answer.md ${shellWord(file)}`
    return failure(code, `An address and no file: ${file}`, hint)
  }
  if (code === 'ENOENT') {
    return failure(code, `No such file: ${file}`, `${nearName(file)}Give a file, or - for standard input.`)
  }
  if (code === 'EISDIR') {
    const hint = 'Give the file that holds the answer; --root names the directory to work in.'
    return failure(code, `${file} is a directory`, hint)
  }
  return failure(code, `Cannot read ${file} (${code})`, 'Give a file that you may read.')
}

function failure(code: string, message: string, hint: string): HermesError {
  return new HermesError(code, message, { hint })
}

function nearName(file: string): string {
  // If the directory cannot be listed, there is nothing to suggest.
  return orNothing(() => didYouMean(basename(file), readdirSync(dirname(file))), '')
}
