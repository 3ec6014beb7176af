import { fstatSync, writeSync } from 'node:fs'
import { HermesError, isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { foldLines, printableJson } from '../../../0-text/src/index.js'
import { asTyped } from './typed-name.js'

type Name = 'stdout' | 'stderr'

const DESCRIPTORS = { stdin: 0, stdout: 1, stderr: 2 }
/** What goes through Node's streams, which take milliseconds to load: a console of Windows knows no UTF-8 bytes. */
const streamed = new Set<Name>(process.platform === 'win32' ? ['stdout', 'stderr'] : [])
let failure: NodeJS.ErrnoException | undefined
let isPrinted = false
let makeRoom: () => void = () => undefined

/**
 * Guards standard output: a reader that went away (`| head`) is no error, and the run goes on without it.
 */
export function guardOutput(): void {
  isPrinted = false
  for (const name of streamed) guard(name)
}

/** Text for people: at a terminal its lines are broken between words. */
export function print(text: string): void {
  printRaw(folded('stdout', text))
}

/** What is copied, read by a program, or has its form: no line of it is broken. */
export function printRaw(text: string): void {
  isPrinted ||= text !== ''
  if (text !== '' && !failure) write('stdout', text)
}

/** Whether anything went to standard output, as far as it could be written. */
export function hasPrinted(): boolean {
  return isPrinted
}

/** As an indented JSON document, with what a terminal would act on escaped. */
export function printJson(value: unknown): void {
  printRaw(`${printableJson(value)}\n`)
}

/** The same on one line, for commands that print a document for each run. */
export function printJsonLine(value: unknown): void {
  printRaw(`${printableJson(value, 0)}\n`)
}

/** Called before anything is printed but by `printOver`. */
export function beforeOutput(hide: () => void): void {
  makeRoom = hide
}

/** On standard output, for what itself makes room. */
export function printOver(text: string): void {
  if (!failure) writeBytes('stdout', text)
}

export function printError(text: string): void {
  write('stderr', folded('stderr', asTyped(text)))
}

function folded(name: Name, text: string): string {
  return isTerminal(name) ? foldLines(text, process[name].columns || 80) : text
}

/** Waits until all is written. @throws HermesError when it cannot be, but for a reader that went away */
export async function flushOutput(): Promise<void> {
  if (streamed.has('stdout') && !failure) await new Promise<void>(resolve => process.stdout.write('', () => resolve()))
  if (failure && failure.code !== 'EPIPE') {
    throw new HermesError(failure.code ?? 'EIO', `Cannot write to standard output: ${failure.message}`, {
      hint: 'The run itself is not affected; --report FILE keeps its result in a file.',
    })
  }
}

/** Whether it is a terminal, without loading the stream where it plainly is none. */
export function isTerminal(name: keyof typeof DESCRIPTORS): boolean {
  return orNothing(() => fstatSync(DESCRIPTORS[name]).isCharacterDevice(), false) && process[name].isTTY
}

/** Longer lines are hard to read; files and pipes get these. */
const MOST_COLUMNS = 120

/** Of texts to read: as wide as the terminal, within what is readable. */
export function readableColumns(): number {
  return isTerminal('stdout') ? Math.min(process.stdout.columns || 80, MOST_COLUMNS) : MOST_COLUMNS
}

/** The terminal understands no escape sequences, as Emacs' shell. */
export function isPlain(): boolean {
  return process.env['TERM'] === 'dumb'
}

/** What Markdown is shown with where there are colours. */
export const SIGNS = { bullet: '•', bar: '│', rule: '─' }

/** Contract section 4: `FORCE_COLOR` over `NO_COLOR` (as Node itself has it) over what the output is. */
export function wantsColour(): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: term } = process.env
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false'
  if (no !== undefined && no !== '') return false
  // A pipe has no colour, also under CI.
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
    // Another program that has the same pipe wants no writer to wait: the stream waits with the rest.
    streamed.add(name)
    guard(name)
    process[name].write(bytes)
  }
}

function guard(name: Name): void {
  process[name].on('error', (error: NodeJS.ErrnoException) => fail(name, error))
}

/** Where messages cannot be written nobody is left to be told. */
function fail(name: Name, error: NodeJS.ErrnoException): void {
  if (name === 'stdout') failure ??= error
}
