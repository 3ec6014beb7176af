import { foldLines } from '../../../0-text/src/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { PASTE_OFF, PASTE_ON } from '../line-editor/key-input.js'
import { typedLine } from './typed-line.js'

/** Attempts before a wrong answer counts as none. */
const TRIES = 3
/** Width of a terminal that does not report it. */
export const DEFAULT_COLUMNS = 80

export interface Terminal {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  /** Drops input typed before a question was visible. */
  discardTyped: (input: NodeJS.ReadStream) => Promise<void>
  /** Suspends other output, such as the status display, until the task ends. */
  aside?: <T>(task: () => Promise<T>) => Promise<T>
  /** It supports no escape sequences. */
  isPlain?: boolean
}

export interface Prompt<Answer> {
  /** Text shown once, above the question. */
  text: string
  question: string
  /** Parses a reply; `undefined` asks again. */
  read: (reply: string) => Answer | undefined
  /** Valid replies, shown before asking again. */
  help: string
  /** The reply is free text, which may be pasted; replies that give consent must be typed. */
  takesPaste?: true
}

/**
 * Shows `text` and asks until `read` accepts the reply. The terminal stays in line mode: the system edits the line, and
 * turns Ctrl-C into the signal that ends the run.
 *
 * @returns `undefined` when the input ended, or after three invalid replies
 * @throws HermesError `CANCELLED`
 */
export async function prompt<Answer>(
  terminal: Terminal, asked: Prompt<Answer>, signal: AbortSignal,
): Promise<Answer | undefined> {
  const { aside = async (task) => task() } = terminal
  return aside(async () => promptAlone(terminal, asked, signal))
}

async function promptAlone<Answer>(
  { input, output, discardTyped, isPlain }: Terminal,
  { text, question, read, help, takesPaste }: Prompt<Answer>,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  if (signal.aborted) throw cancelled()
  await discardTyped(input)
  if (signal.aborted) throw cancelled()
  const fold = (words: string): string => foldLines(words, output.columns || DEFAULT_COLUMNS)
  // Once ended, input never resumes.
  if (input.readableEnded) return undefined
  const marks = takesPaste !== true && output.isTTY && isPlain !== true
  const show = (words: string): void => void output.write(`${marks ? PASTE_ON : ''}${fold(words)}`)
  // A shell that used the terminal meanwhile (Ctrl-Z, fg) has written below the question, and disabled paste markers.
  const showAgain = (): void => show(`${text}${question}`)
  process.on('SIGCONT', showAgain)
  show(text)
  try {
    let again = ''
    for (let tries = 0; tries < TRIES; tries++) {
      output.write(fold(tries === 0 ? question : `${again}\n${question}`))
      const line = await typedLine(input, signal)
      if (signal.aborted) throw cancelled()
      if (line === undefined) break
      const isTyped = takesPaste === true || !line.isPasted
      const answer = isTyped ? read(line.text.trim()) : undefined
      if (answer !== undefined) return answer
      again = isTyped ? help : `What is pasted answers nothing. ${help}`
      // The end of a paste may still be in the incomplete line.
      if (!isTyped) await discardTyped(input)
      if (signal.aborted) throw cancelled()
    }
    // At the end of input the cursor is still behind the question.
    output.write('\n')
    return undefined
  } catch (error) {
    output.write('\n')
    throw error
  } finally {
    process.off('SIGCONT', showAgain)
    if (marks) output.write(PASTE_OFF)
  }
}

function cancelled(): HermesError {
  return new HermesError('CANCELLED', 'The user cancelled the run', { hint: 'Run the block again.' })
}

/** What a reply means by a table, whatever its case; `undefined` for one that is not in it. */
export function lookUp<Value>(table: Readonly<Record<string, Value>>, reply: string): Value | undefined {
  const key = reply.toLowerCase()
  return Object.hasOwn(table, key) ? table[key] : undefined
}
