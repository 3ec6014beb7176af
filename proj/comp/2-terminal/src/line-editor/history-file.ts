import { appendFileSync, readFileSync } from 'node:fs'
import { writeOwn } from '../../../2-files/src/index.js'
import { withOwnFile } from '../../../2-config/src/index.js'
import { caught, isNodeError, parseJson } from '../../../0-contracts/src/index.js'

const MOST_LINES = 1000
/** Longest line to keep; longer ones are pasted files. */
const MOST_LENGTH = 10_000

/** Previously typed lines, and where to store new ones. */
export interface History {
  /** Newest last. */
  readonly lines: readonly string[]
  add(line: string): void
}

export interface HistoryFileOptions {
  file: string
  /** `json`: a JSON string on each line, since typed lines may contain line breaks. `plain`: as typed, on one line. */
  form: keyof typeof FORMS
  /** Masks secrets in what is stored; the line in memory stays as typed. */
  mask: (line: string) => string
  /** Called once if the file cannot be used. Default: lines are silently not stored. */
  onProblem?: (code: string) => void
}

/** A history file that others cannot read, and that several programs may append to. */
export class HistoryFile implements History {
  #lines: string[]
  /** The last line as written in the file. */
  #last: string
  #isUsable = true

  constructor(private readonly options: HistoryFileOptions) {
    this.#lines = this.#trying(() => readLines(options.file, FORMS[options.form])) ?? []
    this.#last = FORMS[options.form].write(this.#lines.at(-1) ?? '')
  }

  get lines(): readonly string[] {
    return this.#lines
  }

  /** Stores a line, unless it equals the previous one. */
  add(line: string): void {
    if (line.trim() === '' || line.length > MOST_LENGTH) return
    this.#lines = [...this.#lines.filter((known) => known !== line), line].slice(-MOST_LINES)
    const { file, form, mask } = this.options
    const written = FORMS[form].write(mask(line))
    if (written === this.#last) return
    this.#last = written
    this.#trying(() => withOwnFile(file, (descriptor) => appendFileSync(descriptor, `${written}\n`)))
  }

  #trying<Value>(task: () => Value): Value | undefined {
    if (!this.#isUsable) return undefined
    return caught(isNodeError, task, (error) => {
      this.#isUsable = false
      this.options.onProblem?.(error.code)
      return undefined
    })
  }
}

/** How to write and parse a line; parsing yields `undefined` for a foreign or incomplete one. */
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
  if (lines.length > 2 * MOST_LINES) writeOwn(file, kept.map((line) => `${write(line)}\n`).join(''))
  return kept
}

function jsonText(line: string): string | undefined {
  const value = parseJson(line)
  return typeof value === 'string' ? value : undefined
}
