import { isUtf8 } from 'node:buffer'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { HermesError, isNodeError, orNothing } from '../../contracts/src/index.js'
import { didYouMean, usageError } from './arguments.js'
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

export interface ReadInputOptions {
  /** A byte order mark at the beginning is kept: what is read is to be written again. */
  keepsMark?: boolean
}

/**
 * The text a command works on: a file (also a pipe given by name), or standard input for `-` and without a name.
 *
 * @throws HermesError for a name that is missing at a terminal, and for what cannot be read as UTF-8 text
 */
export async function readInput(
  command: string, file: string | undefined, options: ReadInputOptions = {},
): Promise<string> {
  requireInput(command, file)
  return isStdin(file) ? decode(await readStdin(), STDIN, options) : decode(readNamed(file), file, options)
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

function decode(bytes: Buffer, name: string, { keepsMark = false }: ReadInputOptions): string {
  requireNoUtf16(bytes, name)
  const nul = bytes.indexOf(0)
  if (nul !== -1) throw binary(name, lineAt(bytes, nul))
  if (!isUtf8(bytes)) throw notUtf8(name, firstBadLine(bytes))
  try {
    // A byte order mark is no part of the text.
    return new TextDecoder('utf-8', { ignoreBOM: keepsMark }).decode(bytes)
  } catch (error) {
    if (!isNodeError(error) && !(error instanceof RangeError)) throw error
    throw failure('FILE_TOO_LARGE', `${name} is too large (${bytes.length} bytes)`, 'Split it.')
  }
}

/** @throws HermesError `NOT_TEXT` for bytes that begin as UTF-16 does */
export function requireNoUtf16(bytes: Buffer, name: string): void {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw failure('NOT_TEXT', `${name} is UTF-16`, 'Save it as UTF-8.')
  }
}

export function binary(name: string, line: number): HermesError {
  return failure('NOT_TEXT', `${name} is binary: a NUL byte in line ${line}`, "Give the text of a model's answer.")
}

export function notUtf8(name: string, line: number): HermesError {
  return failure('NOT_TEXT', `${name} is not valid UTF-8: line ${line}`, 'Save it as UTF-8.')
}

function lineAt(bytes: Buffer, end: number): number {
  let line = 1
  for (let at = bytes.indexOf(10); at !== -1 && at < end; at = bytes.indexOf(10, at + 1)) line++
  return line
}

/** No character of UTF-8 contains the byte of a line feed: so each line can be judged alone. */
function firstBadLine(bytes: Buffer): number {
  let line = 1
  for (let start = 0; start < bytes.length; line++) {
    const at = bytes.indexOf(10, start)
    const end = at === -1 ? bytes.length : at
    if (!isUtf8(bytes.subarray(start, end))) return line
    start = end + 1
  }
  return line
}
