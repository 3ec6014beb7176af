import { createInterface } from 'node:readline'
import { discardLines } from './discard-typed.js'
import type { History } from './history-file.js'
import type { KeySource } from './key-input.js'
import { hitRows, type Completion } from './line-completion.js'
import { LineEditor } from './line-editor.js'
import type { Line } from './line.js'
import { LiveScreen, type ScreenOutput } from './live-screen.js'
import { promptRows } from './prompt-rows.js'

/** Input of the user. `interrupt`: Ctrl-C at the prompt. */
export type Given = { kind: 'line' | 'paste'; text: string } | { kind: 'interrupt' }

/** A source of lines and pastes. */
export interface PromptInput {
  /** @returns `undefined` once the input has ended */
  next(prompt: string): Promise<Given | undefined>
  /** Releases the terminal while `task` runs. */
  away<Value>(task: () => Promise<Value>): Promise<Value>
  /** Ends the input: a pending `next` returns `undefined`. */
  close(): void
}

/** A queue with a single consumer. */
class Arrivals<Item> {
  readonly #come: Item[] = []
  #taker: ((item: Item) => void) | undefined

  add(item: Item): void {
    const taker = this.#taker
    this.#taker = undefined
    if (taker) taker(item)
    else this.#come.push(item)
  }

  /** @param come called with the taken item as soon as it arrives */
  async take(come: (item: Item) => void = () => undefined): Promise<Item> {
    const item = this.#come.shift()
    if (item !== undefined) {
      come(item)
      return item
    }
    return new Promise((resolve) => {
      this.#taker = (later) => {
        come(later)
        resolve(later)
      }
    })
  }
}

/** Lines from a pipe, or from a terminal without capabilities. */
export function pipedInput(input: NodeJS.ReadableStream, write: (prompt: string) => void): PromptInput {
  const arrivals = new Arrivals<{ given: Given | undefined }>()
  const lines = createInterface({ input, terminal: false, crlfDelay: Infinity })
  // A run may take longer than the pipe can buffer, so read and keep all lines.
  lines.on('line', (text) => {
    lines.pause()
    arrivals.add({ given: { kind: 'line', text } })
  })
  lines.on('close', () => arrivals.add({ given: undefined }))
  return {
    async next(prompt) {
      write(prompt)
      lines.resume()
      return (await arrivals.take()).given
    },
    away: async (task) => task(),
    close: () => lines.close(),
  }
}

export interface TerminalInputOptions {
  input: KeySource & { readonly readableEnded?: boolean }
  output: ScreenOutput & {
    on(event: 'resize', listener: () => void): unknown
    off(event: 'resize', listener: () => void): unknown
  }
  history: History
  /** Completions for the text before the cursor. */
  complete: (before: string) => Promise<Completion>
}

/** A submitted line, and the rows that remain of it on the screen. */
interface Arrival {
  given: Given | undefined
  shown?: Pick<Line, 'text' | 'cursor'>
}

/** A prompt at a terminal with an editable line. */
export function terminalInput({ input, output, history, complete }: TerminalInputOptions): PromptInput {
  const arrivals = new Arrivals<Arrival>()
  const screen = new LiveScreen(output)
  /** The visible prompt. */
  let prompt: string | undefined
  let isAway = false
  const rowsOf = (line: Pick<Line, 'text' | 'cursor'>, most: number) => promptRows(line, output.columns, most, prompt)
  const draw = (finished: readonly string[] = []): void => {
    if (prompt === undefined) return
    screen.show(rowsOf(editor.line, Math.max(1, Math.floor(output.rows / 2))), finished)
  }
  const taken = ({ given, shown }: Arrival): void => {
    // At the end of input the prompt stays visible.
    if (given !== undefined) screen.clear(shown ? rowsOf(shown, Number.MAX_SAFE_INTEGER).rows : [])
    prompt = undefined
  }
  const editor: LineEditor = new LineEditor(
    { input, write: (text) => output.write(text), history, recalls: 'beginning', entersWithLineFeed: true }, {
      changed: () => draw(),
      enter(line) {
        arrivals.add({ given: { kind: 'line', text: line.text }, shown: line })
        return true
      },
      interrupt() {
        editor.set('')
        arrivals.add({ given: { kind: 'interrupt' }, shown: { text: '^C', cursor: 2 } })
      },
      end: () => arrivals.add({ given: undefined }),
      wipe: () => screen.wipe(),
      hide: () => screen.clear(),
      paste(text) {
        // A pasted word or path is inserted into the line.
        if (!text.includes('\n')) {
          editor.insert(text.replaceAll('\t', '  '))
          return
        }
        const before = editor.line.text
        editor.set('')
        arrivals.add({ given: { kind: 'paste', text: before + text } })
      },
      complete: async ({ text, cursor }) => complete(text.slice(0, cursor)),
      offer: (hits) => draw([...rowsOf(editor.line, Number.MAX_SAFE_INTEGER).rows, ...hitRows(hits, output.columns)]),
    },
  )
  const redraw = (): void => draw()
  output.on('resize', redraw)
  editor.open()
  return {
    async next(text) {
      prompt = text
      draw()
      return (await arrivals.take(taken)).given
    },
    async away(task) {
      // A command of the prompt may run a waiting task, which also releases the terminal.
      if (isAway) return task()
      isAway = true
      editor.close()
      try {
        return await task()
      } finally {
        // Input typed before the prompt was visible must not run anything.
        if (input.readableEnded !== true) await discardLines(input)
        isAway = false
        editor.open()
      }
    },
    close() {
      output.off('resize', redraw)
      editor.dispose()
      arrivals.add({ given: undefined })
    },
  }
}
