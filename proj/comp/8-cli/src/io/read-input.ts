import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { HermesError, isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { decodeInput, type DecodeOptions } from '../../../2-files/src/index.js'
import { shellWord } from '../../../0-text/src/index.js'
import { didYouMean, usageError } from '../arguments.js'
import { isTerminal } from './output.js'

/** What messages call it. */
export const STDIN = 'Standard input'

/** The text comes by standard input: for `-` and without a name. */
export function isStdin(file: string | undefined): file is '-' | undefined {
  return file === undefined || file === '-'
}

/** @throws HermesError for a name that is missing at a terminal */
export function requireInput(command: string, file: string | undefined): void {
  if (file !== undefined || !isTerminal('stdin')) return
  const hint = `Write hermes ${command} FILE, or pipe a text into hermes ${command}.`
  throw usageError('No FILE given, and standard input is a terminal', hint)
}

/**
 * The text a command works on: a file (also a pipe given by name), or standard input for `-` and without a name.
 *
 * @throws HermesError for a name that is missing at a terminal, and for what cannot be read as UTF-8 text
 */
export async function readInput(
  command: string, file: string | undefined, options: DecodeOptions = {},
): Promise<string> {
  requireInput(command, file)
  return isStdin(file) ? decodeInput(await readStdin(), STDIN, options) : decodeInput(readNamed(file), file, options)
}

async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw stdinFailure(error.code)
  }
  return Buffer.concat(chunks)
}

export function stdinFailure(code: string): HermesError {
  return failure(code, `Cannot read standard input (${code})`, 'Give a file instead.')
}

function readNamed(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw unreadable(file, error.code)
  }
}

function unreadable(file: string, code: string): HermesError {
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
  // Where the directory cannot be listed there is nothing to suggest.
  return orNothing(() => didYouMean(basename(file), readdirSync(dirname(file))), '')
}
