import { createInterface } from 'node:readline'
import { discardLines } from './discard-typed.js'
import type { History } from './history-file.js'
import type { KeySource } from './key-input.js'
import { hitRows, type Completion } from './line-completion.js'
import { LineEditor } from './line-editor.js'
import type { Line } from './line.js'
import { LiveScreen, type ScreenOutput } from './live-screen.js'
import { promptRows } from './prompt-rows.js'

/** What the user gave. `interrupt`: Ctrl-C at the prompt. */
export type Given = { kind: 'line' | 'paste'; text: string } | { kind: 'interrupt' }

/** Lines and pastes, one after the other. */
export interface PromptInput {
  /** @returns `undefined` once the input has ended */
  next(prompt: string): Promise<Given | undefined>
  /** Leaves the terminal to somebody else while `task` runs. */
  away<Value>(task: () => Promise<Value>): Promise<Value>
  /** Ends the input: who waits for what comes next gets `undefined`. */
  close(): void
}

/** A queue of what came, for one who takes. */
class Arrivals<Item> {
  readonly #come: Item[] = []
  #taker: ((item: Item) => void) | undefined

  add(item: Item): void {
    const taker = this.#taker
    this.#taker = undefined
    if (taker) taker(item)
    else this.#come.push(item)
  }

  /** @param come hears of what is taken as soon as it is there */
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

/** Lines as they come, for a pipe, and for terminals that can do nothing. */
export function pipedInput(input: NodeJS.ReadableStream, write: (prompt: string) => void): PromptInput {
  const arrivals = new Arrivals<{ given: Given | undefined }>()
  const lines = createInterface({ input, terminal: false, crlfDelay: Infinity })
  // A run may take longer than the pipe holds; what has come already is kept.
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
  /** What Tab offers behind a text. */
  complete: (before: string) => Promise<Completion>
}

/** What is left of an entered line on the screen, and what it was. */
interface Arrival {
  given: Given | undefined
  shown?: Pick<Line, 'text' | 'cursor'>
}

/** A prompt at a terminal, with a line that is edited. */
export function terminalInput({ input, output, history, complete }: TerminalInputOptions): PromptInput {
  const arrivals = new Arrivals<Arrival>()
  const screen = new LiveScreen(output)
  /** While it is shown. */
  let prompt: string | undefined
  const rowsOf = (line: Pick<Line, 'text' | 'cursor'>, most: number) => promptRows(line, output.columns, most, prompt)
  const draw = (finished: readonly string[] = []): void => {
    if (prompt === undefined) return
    screen.show(rowsOf(editor.line, Math.max(1, Math.floor(output.rows / 2))), finished)
  }
  const taken = ({ given, shown }: Arrival): void => {
    // At the end the prompt stays.
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
        // A word or a path goes into the line.
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
      editor.close()
      try {
        return await task()
      } finally {
        // What was typed before the prompt could be seen runs nothing.
        if (input.readableEnded !== true) await discardLines(input)
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
