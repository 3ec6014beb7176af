import { createInterface } from 'node:readline/promises'
import { HermesError } from '../../../0-contracts/src/index.js'

/** Tries before a wrong answer counts as none. */
const TRIES = 3
const CLEAR_LINE = '\r\u001b[2K'

export interface Terminal {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  /** Takes what was typed before a question was seen: it answers nothing. */
  discardTyped: (input: NodeJS.ReadStream) => Promise<void>
  /** The cursor may stand behind the line of a running block, which is to be replaced. */
  hasOpenLine: boolean
}

export interface Prompt<Answer> {
  /** Shown once, above the question. */
  text: string
  question: string
  /** The answer a reply means; `undefined` asks again. */
  read: (reply: string) => Answer | undefined
  /** What may be typed, shown before it asks again. */
  help: string
}

/**
 * Shows `text` and asks until `read` takes the reply. The terminal stays in line mode: the system edits the line, and
 * turns Ctrl-C into the signal that ends the run.
 *
 * @returns `undefined` when the input ended, or after three replies that are no answer
 * @throws HermesError `CANCELLED`
 */
export async function prompt<Answer>(
  { input, output, discardTyped, hasOpenLine }: Terminal, { text, question, read, help }: Prompt<Answer>,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  if (signal.aborted) throw cancelled()
  await discardTyped(input)
  if (signal.aborted) throw cancelled()
  // Once it has ended it stays so.
  if (input.readableEnded) return undefined
  output.write(`${hasOpenLine ? CLEAR_LINE : ''}${text}`)
  const lines = createInterface({ input, terminal: false })
  const ended = new Promise<undefined>(resolve => lines.once('close', () => resolve(undefined)))
  const done = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(cancelled()), { signal: done.signal })
  })
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      output.write(tries === 0 ? question : `${help}\n${question}`)
      const line = new Promise<string>(resolve => lines.once('line', resolve))
      const reply = await Promise.race([line, ended, aborted])
      if (reply === undefined) break
      const answer = read(reply.trim())
      if (answer !== undefined) return answer
    }
    // After the end of the input the cursor still stands behind the question.
    output.write('\n')
    return undefined
  } catch (error) {
    output.write('\n')
    throw error
  } finally {
    done.abort()
    lines.close()
  }
}

function cancelled(): HermesError {
  return new HermesError('CANCELLED', 'The user cancelled the run', { hint: 'Run the block again.' })
}
