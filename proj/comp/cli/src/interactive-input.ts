import { createInterface, type Completer, type Interface } from 'node:readline'
import { discardTyped } from './discard-typed.js'
import { PasteFilter } from './interactive-paste.js'

/** What the user gave. `interrupt`: Ctrl-C at the prompt. */
export type Given = { kind: 'line' | 'paste'; text: string } | { kind: 'interrupt' }

export interface InteractiveInput {
  /** @returns `undefined` once the input has ended */
  next(prompt: string): Promise<Given | undefined>
  /** Leaves the terminal to somebody else while `task` runs. */
  away<Value>(task: () => Promise<Value>): Promise<Value>
  close(): void
}

/** A queue of what came, for one who takes. */
class Arrivals {
  readonly #come: (Given | undefined)[] = []
  #taker: ((given: Given | undefined) => void) | undefined

  add(given: Given | undefined): void {
    const taker = this.#taker
    this.#taker = undefined
    if (taker) taker(given)
    else this.#come.push(given)
  }

  async take(): Promise<Given | undefined> {
    if (this.#come.length > 0) return this.#come.shift()
    return new Promise((resolve) => {
      this.#taker = resolve
    })
  }
}

/** Lines as they come, for a pipe, and for terminals that can do nothing. */
export function lineInput(input: NodeJS.ReadableStream, write: (prompt: string) => void): InteractiveInput {
  const arrivals = new Arrivals()
  const lines = createInterface({ input, terminal: false, crlfDelay: Infinity })
  // A run may take longer than the pipe holds; what has come already is kept.
  lines.on('line', (text) => {
    lines.pause()
    arrivals.add({ kind: 'line', text })
  })
  lines.on('close', () => arrivals.add(undefined))
  return {
    async next(prompt) {
      write(prompt)
      lines.resume()
      return arrivals.take()
    },
    away: async (task) => task(),
    close: () => lines.close(),
  }
}

export interface EditorOptions {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  /** Newest first. */
  history: readonly string[]
  complete: (line: string) => Promise<[hits: string[], part: string]>
  /** Of each line that was entered. */
  onLine: (line: string) => void
}

const PASTE_ON = '\u001b[?2004h'
const PASTE_OFF = '\u001b[?2004l'

/** A line editor at a terminal: `node:readline`, with what is pasted taken out of its keys. */
export function editorInput({ input, output, history, complete, onLine }: EditorOptions): InteractiveInput {
  const arrivals = new Arrivals()
  const filter = new PasteFilter(input)
  const completer = (line: string, done: Parameters<Completer & ((...args: unknown[]) => unknown)>[1]): void => {
    const answer = done as unknown as (error: Error | null, result: [string[], string]) => void
    complete(line).then((result) => answer(null, result), () => answer(null, [[], line]))
  }
  input.setEncoding('utf8')
  const editor = createInterface({
    input: filter as unknown as NodeJS.ReadStream, output, terminal: true, completer: completer as unknown as Completer,
    history: [...history], historySize: 1000, removeHistoryDuplicates: true,
  })
  editor.on('line', (text) => {
    onLine(text)
    arrivals.add({ kind: 'line', text })
  })
  editor.on('SIGINT', () => {
    clearLine(editor)
    output.write('^C\n')
    arrivals.add({ kind: 'interrupt' })
  })
  editor.on('close', () => arrivals.add(undefined))
  filter.on('paste', (text: string) => {
    if (!text.includes('\n')) {
      // A word or a path goes into the line, but presses no key.
      editor.write(withoutControls(text))
      return
    }
    const before = editor.line
    clearLine(editor)
    output.write('\r\u001b[2K')
    arrivals.add({ kind: 'paste', text: before + text })
  })
  const attach = (): void => {
    input.setRawMode(true)
    input.pipe(filter)
    output.write(PASTE_ON)
  }
  const detach = (): void => {
    output.write(PASTE_OFF)
    input.unpipe(filter)
    input.setRawMode(false)
    input.pause()
  }
  attach()
  return {
    async next(prompt) {
      editor.setPrompt(prompt)
      editor.prompt()
      return arrivals.take()
    },
    async away(task) {
      detach()
      try {
        return await task()
      } finally {
        // What was typed before the prompt could be seen runs nothing.
        if (!input.readableEnded) await discardTyped(input)
        attach()
      }
    },
    close() {
      editor.close()
      detach()
    },
  }
}

function clearLine(editor: Interface): void {
  editor.write(null, { ctrl: true, name: 'e' })
  editor.write(null, { ctrl: true, name: 'u' })
}

function withoutControls(text: string): string {
  return text.replaceAll('\t', '  ').replace(/\p{Cc}/gu, '')
}
