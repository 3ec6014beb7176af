import { appendFileSync, readFileSync } from 'node:fs'
import { writeOwn } from '../../../2-files/src/index.js'
import { withOwnFile } from '../../../2-config/src/index.js'
import { isNodeError } from '../../../0-contracts/src/index.js'

const MOST_LINES = 1000
/** Longer ones are a file that was pasted. */
const MOST_LENGTH = 10_000

/** Lines typed before, and where further ones are kept. */
export interface History {
  /** The newest last. */
  readonly lines: readonly string[]
  add(line: string): void
}

export interface HistoryFileOptions {
  file: string
  /** `json`: a JSON string a line, since a line typed may hold line breaks. `plain`: as typed, on one line. */
  form: keyof typeof FORMS
  /** Takes secrets out of what is kept. Here a line comes back as it was typed. */
  mask: (line: string) => string
  /** Told once where the file cannot be used. Default: lines are only forgotten. */
  onProblem?: (code: string) => void
}

/** A history in a file that others may not read, and to which several programs may add. */
export class HistoryFile implements History {
  readonly #options: HistoryFileOptions
  #lines: string[]
  /** As it is written in the file. */
  #last: string
  #isUsable = true

  constructor(options: HistoryFileOptions) {
    this.#options = options
    this.#lines = this.#trying(() => readLines(options.file, FORMS[options.form])) ?? []
    this.#last = FORMS[options.form].write(this.#lines.at(-1) ?? '')
  }

  get lines(): readonly string[] {
    return this.#lines
  }

  /** Keeps a line; twice the same in a row once. */
  add(line: string): void {
    if (line.trim() === '' || line.length > MOST_LENGTH) return
    this.#lines = [...this.#lines.filter((one) => one !== line), line].slice(-MOST_LINES)
    const { file, form, mask } = this.#options
    const written = FORMS[form].write(mask(line))
    if (written === this.#last) return
    this.#last = written
    this.#trying(() => withOwnFile(file, (descriptor) => appendFileSync(descriptor, `${written}\n`)))
  }

  #trying<Value>(task: () => Value): Value | undefined {
    if (!this.#isUsable) return undefined
    try {
      return task()
    } catch (error) {
      if (!isNodeError(error)) throw error
      this.#isUsable = false
      this.#options.onProblem?.(error.code)
      return undefined
    }
  }
}

/** How a line is written, and read: `undefined` for one that somebody else wrote, or that was cut off. */
interface Form {
  write(line: string): string
  read(written: string): string | undefined
}

const FORMS = {
  json: { write: (line) => JSON.stringify(line), read: jsonText },
  plain: {
    write: (line) => line.replaceAll(/[\r\n]/g, ' ').trimEnd(),
    read: (line) => line.replace(/\r$/, '') || undefined,
  },
} as const satisfies Readonly<Record<string, Form>>

function readLines(file: string, { read, write }: Form): string[] {
  const text = withOwnFile(file, (descriptor) => readFileSync(descriptor, 'utf8'))
  const lines = text.split('\n').flatMap((line) => read(line) ?? [])
  const kept = lines.slice(-MOST_LINES)
  if (lines.length > 2 * MOST_LINES) {
    writeOwn(file, kept.map((line) => `${write(line)}\n`).join(''))
  }
  return kept
}

function jsonText(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'string' ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
