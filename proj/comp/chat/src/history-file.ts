import { appendFileSync, readFileSync } from 'node:fs'
import { writeOwn } from '../../atomic-write/src/index.js'
import { withOwnFile } from '../../config/src/index.js'
import { isNodeError } from '../../contracts/src/index.js'

const MOST_LINES = 1000
/** Longer ones are a file that was pasted. */
const MOST_LENGTH = 10_000

/**
 * Lines typed before, the last one last: a JSON string a line, since one may hold line breaks. Others may not read it,
 * and several chats may add to it. What cannot be kept is only forgotten.
 */
export class HistoryFile {
  readonly #file: string
  readonly #mask: (line: string) => string
  #lines: string[] = []

  /** @param mask takes secrets out of what is kept; in this chat a line comes back as it was typed */
  constructor(file: string, mask: (line: string) => string) {
    this.#file = file
    this.#mask = mask
    this.#trying(() => {
      this.#lines = readLines(file)
    })
  }

  get lines(): readonly string[] {
    return this.#lines
  }

  /** Keeps a line; twice the same in a row once. */
  add(line: string): void {
    if (line === this.#lines.at(-1) || line.length > MOST_LENGTH) return
    this.#lines = [...this.#lines, line].slice(-MOST_LINES)
    const kept = `${JSON.stringify(this.#mask(line))}\n`
    this.#trying(() => withOwnFile(this.#file, (descriptor) => appendFileSync(descriptor, kept)))
  }

  #trying(task: () => void): void {
    try {
      task()
    } catch (error) {
      if (!isNodeError(error)) throw error
    }
  }
}

function readLines(file: string): string[] {
  const text = withOwnFile(file, (descriptor) => readFileSync(descriptor, 'utf8'))
  const lines = text.split('\n').flatMap((line) => textOf(line) ?? [])
  const kept = lines.slice(-MOST_LINES)
  if (lines.length > 2 * MOST_LINES) {
    writeOwn(file, kept.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
  return kept
}

/** `undefined` for a line that somebody else wrote, or that was cut off. */
function textOf(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'string' ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
