import { fstatSync } from 'node:fs'
import { HermesError, orNothing } from '../../../0-contracts/src/index.js'
import { decodeInput } from '../../../2-files/src/index.js'
import { isTerminal, printError } from './output.js'
import { asStdinFailure, STDIN } from './read-input.js'

/** Most bytes of standard input for a question: about 300,000 tokens, more than most models accept. */
const MOST_BYTES = 1024 * 1024
/** After this time without input, in milliseconds, a user at the terminal is told what hermes waits for. */
const QUIET_MS = 1000
const NO_TEXT = 'A question takes text (UTF-8): name the file in it, so that the model looks at it itself, or leave '
  + 'the input alone (--no-stdin).'

const TOO_LONG = `Standard input is longer than ${MOST_BYTES / 1024} KiB`
const IN_PARTS =
  'Name a file in the question, so that the model reads what it needs of it, or give a part: head -c 100000.'

/** Whether standard input provides a text: a pipe, a socket (as other programs make it) or a file. */
export function isStdinGiven(): boolean {
  return orNothing(() => {
    const stats = fstatSync(0)
    return stats.isFIFO() || stats.isFile() || stats.isSocket()
  }, false)
}

/** Reads all of standard input for a question. @throws HermesError where it is too long, or not text */
export async function readQuestionInput(): Promise<string> {
  const waiting = isTerminal('stdin') ? undefined : setTimeout(() => printError(
    'hermes: waiting for the end of standard input; --no-stdin leaves it alone\n',
  ), QUIET_MS)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of process.stdin) {
      clearTimeout(waiting)
      size += (chunk as Buffer).length
      if (size > MOST_BYTES) throw new HermesError('FILE_TOO_LARGE', TOO_LONG, { hint: IN_PARTS })
      chunks.push(chunk as Buffer)
    }
  } catch (error) {
    throw asStdinFailure(error)
  } finally {
    clearTimeout(waiting)
  }
  return decodeInput(Buffer.concat(chunks), STDIN, { textHint: NO_TEXT })
}
