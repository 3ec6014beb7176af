import {
  appendFileSync, chmodSync, closeSync, constants, fchmodSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { isNodeError } from '../../contracts/src/index.js'

const MOST_LINES = 1000
/** Longer ones are a file that was pasted. */
const MOST_LENGTH = 10_000

/**
 * Lines typed before, the last one last: a JSON string a line, since one may hold line breaks. Others may not read it, and
 * several chats may add to it. What cannot be kept is only forgotten.
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
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
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
    this.#trying(() => withFile(this.#file, (descriptor) => appendFileSync(descriptor, `${JSON.stringify(this.#mask(line))}\n`)))
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
  const lines = withFile(file, (descriptor) => readFileSync(descriptor, 'utf8')).split('\n').flatMap((line) => {
    const value = textOf(line)
    return value === undefined ? [] : [value]
  })
  const kept = lines.slice(-MOST_LINES)
  if (lines.length > 2 * MOST_LINES) shorten(file, kept)
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

/** A link, or a device, is no history of ours. */
function withFile<T>(file: string, task: (descriptor: number) => T): T {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const descriptor = openSync(file, flags, 0o600)
  try {
    if ((fstatSync(descriptor).mode & 0o077) !== 0) fchmodSync(descriptor, 0o600)
    return task(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function shorten(file: string, lines: readonly string[]): void {
  const temp = `${file}.${process.pid}.tmp`
  writeFileSync(temp, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 })
  chmodSync(temp, 0o600)
  renameSync(temp, file)
}
