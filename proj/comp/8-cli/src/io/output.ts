import { fstatSync, writeSync } from 'node:fs'
import { HermesError, isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { escapeControls, failureText, foldLines, printableJson, shellWord } from '../../../0-text/src/index.js'
import type { Arguments } from '../arguments.js'
import { EXIT } from '../exit-codes.js'

export { EXIT }

type Name = 'stdout' | 'stderr'

const DESCRIPTORS = { stdin: 0, stdout: 1, stderr: 2 }
/**
 * Outputs written through Node's streams, which take milliseconds to load: a Windows console cannot take UTF-8 bytes.
 */
const streamed = new Set<Name>(process.platform === 'win32' ? ['stdout', 'stderr'] : [])
let failure: NodeJS.ErrnoException | undefined
let isPrinted = false
let makeRoom: () => void = () => undefined

/** Prepares standard output: a reader that went away (`| head`) is not an error, and the run continues without it. */
export function guardOutput(): void {
  isPrinted = false
  for (const name of streamed) guard(name)
}

/** Prints text for people: at a terminal lines are wrapped between words. */
export function print(text: string): void {
  printRaw(folded('stdout', text))
}

/** Prints text to be copied or parsed: no line is wrapped. */
export function printRaw(text: string): void {
  isPrinted ||= text !== ''
  if (text !== '' && !failure) write('stdout', text)
}

/** Whether anything was printed to standard output, as far as it could be written. */
export function hasPrinted(): boolean {
  return isPrinted
}

/** Prints an indented JSON document, with control characters escaped. */
export function printJson(value: unknown): void {
  printRaw(`${printableJson(value)}\n`)
}

/** The same on one line, for commands that print a document for each run. */
export function printJsonLine(value: unknown): void {
  printRaw(`${printableJson(value, 0)}\n`)
}

/** Prints what a command found: its document where `--json` asks for one, else the text. @returns the exit code */
export function printFound(args: Arguments, document: unknown, text: () => string, code: number = EXIT.ok): number {
  if (args.has('json')) printJson(document)
  else print(text())
  return code
}

/** Sets a function called before any printing except by `printOver`. */
export function beforeOutput(hide: () => void): void {
  makeRoom = hide
}

/** Prints to standard output without that call. */
export function printOver(text: string): void {
  if (!failure) writeBytes('stdout', text)
}

export function printError(text: string): void {
  write('stderr', folded('stderr', asTyped(text)))
}

/** A failure as one line with its hint; never a stack trace. */
export function described(error: HermesError): string {
  return `hermes: ${failureText(error)}`
}

/** One line about the work itself, for people, on standard error. */
export function say(line: string): void {
  printError(`hermes: ${escapeControls(line)}\n`)
}

function folded(name: Name, text: string): string {
  return isTerminal(name) ? foldLines(text, process[name].columns || 80) : text
}

/** Waits until everything is written. @throws HermesError where it cannot be, except for a reader that went away */
export async function flushOutput(): Promise<void> {
  if (streamed.has('stdout') && !failure) await new Promise<void>(resolve => process.stdout.write('', () => resolve()))
  if (failure && failure.code !== 'EPIPE') {
    throw new HermesError(failure.code ?? 'EIO', `Cannot write to standard output: ${failure.message}`, {
      hint: 'The run itself is not affected; --report FILE keeps its result in a file.',
    })
  }
}

/** Whether it is a terminal; does not load the stream where it evidently is none. */
export function isTerminal(name: keyof typeof DESCRIPTORS): boolean {
  return orNothing(() => fstatSync(DESCRIPTORS[name]).isCharacterDevice(), false) && process[name].isTTY
}

/** Longer lines are hard to read; files and pipes get lines of this length. */
const MOST_COLUMNS = 120

/** Width for texts to read: the terminal's, but at most a readable one. */
export function readableColumns(): number {
  return isTerminal('stdout') ? Math.min(process.stdout.columns || 80, MOST_COLUMNS) : MOST_COLUMNS
}

/** Whether the terminal supports no escape sequences, like Emacs' shell. */
export function isPlain(): boolean {
  return process.env['TERM'] === 'dumb'
}

/** Characters for rendering Markdown where there are colours. */
export const SIGNS = { bullet: '•', bar: '│', rule: '─' }

/** Whether to use colours: decided by `FORCE_COLOR`, else `NO_COLOR` (in Node's own order), else by the output. */
export function wantsColour(): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: term } = process.env
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false'
  if (no !== undefined && no !== '') return false
  // A pipe has no colours, even under CI.
  return term !== 'dumb' && isTerminal('stdout')
}

function write(name: Name, text: string): void {
  makeRoom()
  writeBytes(name, text)
}

function writeBytes(name: Name, text: string): void {
  if (streamed.has(name)) {
    process[name].write(text)
    return
  }
  let bytes = Buffer.from(text)
  try {
    while (bytes.length > 0) bytes = bytes.subarray(writeSync(DESCRIPTORS[name], bytes))
  } catch (error) {
    if (!isNodeError(error)) throw error
    if (error.code !== 'EAGAIN') {
      fail(name, error)
      return
    }
    // Another program made this pipe non-blocking: the stream waits instead.
    streamed.add(name)
    guard(name)
    process[name].write(bytes)
  }
}

function guard(name: Name): void {
  process[name].on('error', (error: NodeJS.ErrnoException) => fail(name, error))
}

/** Notes a write error; there is nowhere to report one of standard error. */
function fail(name: Name, error: NodeJS.ErrnoException): void {
  if (name === 'stdout') failure ??= error
}

/** What may stand behind the name on a command line; a text may also say that hermes does something. */
let typed: RegExp | undefined

/** How hermes is called here: whom npx or a script of npm started may have it nowhere in PATH. */
export function ownName({ npm_command: command }: NodeJS.ProcessEnv = process.env): string {
  return command !== undefined && ['exec', 'run', 'run-script'].includes(command) ? 'npx hermes' : 'hermes'
}

/** Says which commands there are, for `asTyped`. */
export function knowCommands(names: readonly string[]): void {
  typed = new RegExp(String.raw`(?<![\w./~-]|npx )hermes (?=(?:${names.join('|')}|COMMAND|--\w+)(?![\w-]))`, 'g')
}

/** Commands about the runs of a root, in a line that does not name the root yet. */
const OF_ROOT =
  /(?<![\w./~-])hermes (?:undo|redo|log|recover|step-back|step-forward|squash)(?![\w-])(?![^\n]*--root)/g
let rootFlag = ''

/** Says in which root the command works, for `asTyped`: the commands that it names work in the same. */
export function knowRoot(root: string | undefined): void {
  rootFlag = root === undefined ? '' : ` --root ${shellWord(root)}`
}

/** A text for people, with the commands in it as they have to be typed here. Not for models, and not for files. */
export function asTyped(text: string): string {
  const name = ownName()
  const placed = rootFlag === '' ? text : text.replace(OF_ROOT, (command) => `${command}${rootFlag}`)
  return typed === undefined || name === 'hermes' ? placed : placed.replace(typed, `${name} `)
}
