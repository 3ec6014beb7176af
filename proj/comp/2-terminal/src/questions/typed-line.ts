import { createInterface } from 'node:readline/promises'
import { PASTE_MARK } from '../line-editor/paste-guard.js'

/** Input within this time behind a line was pasted with it, as nobody types that fast; in milliseconds. */
const QUIET_MS = 50

export interface TypedLine {
  text: string
  /** It was pasted, or came together with a paste. */
  isPasted: boolean
}

/** The next line of a terminal in line mode; `undefined` at the end of input. */
export async function typedLine(input: NodeJS.ReadStream, signal: AbortSignal): Promise<TypedLine | undefined> {
  const lines = createInterface({ input, terminal: false })
  const answers: string[] = []
  const done = new AbortController()
  let timer: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve) => {
      const end = (): void => {
        const count = answers.length
        // The silence may be due to this process being busy: read pending input first.
        setImmediate(() => {
          if (answers.length === count) resolve()
        })
      }
      lines.on('line', (line) => {
        answers.push(line)
        clearTimeout(timer)
        timer = setTimeout(end, QUIET_MS)
      })
      lines.once('close', resolve)
      signal.addEventListener('abort', () => resolve(), { signal: done.signal })
    })
  } finally {
    done.abort()
    clearTimeout(timer)
    lines.close()
  }
  const [text] = answers
  return text === undefined ? undefined : { text, isPasted: answers.length > 1 || PASTE_MARK.test(text) }
}
