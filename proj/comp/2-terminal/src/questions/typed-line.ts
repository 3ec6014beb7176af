import { createInterface } from 'node:readline/promises'
import { PASTE_MARK } from '../line-editor/index.js'

/** What comes right behind a line was pasted with it: nobody types as fast. In milliseconds without anything. */
const QUIET_MS = 50

export interface TypedLine {
  text: string
  /** It came by a paste, or with one. */
  isPasted: boolean
}

/** The next line of a terminal in line mode; `undefined` where the input ends before. */
export async function typedLine(input: NodeJS.ReadStream, signal: AbortSignal): Promise<TypedLine | undefined> {
  const lines = createInterface({ input, terminal: false })
  const found: string[] = []
  const done = new AbortController()
  let timer: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve) => {
      const end = (): void => {
        const count = found.length
        // The silence may be our own: what came while this process was busy has still to be read.
        setImmediate(() => {
          if (found.length === count) resolve()
        })
      }
      lines.on('line', (line) => {
        found.push(line)
        clearTimeout(timer)
        timer = setTimeout(end, QUIET_MS)
      })
      lines.once('close', resolve)
      signal.addEventListener('abort', () => {
        resolve()
      }, { signal: done.signal })
    })
  } finally {
    done.abort()
    clearTimeout(timer)
    lines.close()
  }
  const [text] = found
  return text === undefined ? undefined : { text, isPasted: found.length > 1 || PASTE_MARK.test(text) }
}
