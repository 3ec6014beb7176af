import { nameOfBytes } from '../../../0-text/src/index.js'

/** A matching line, as printed by ripgrep. */
export interface RipgrepRecord {
  /** As ripgrep prints it, with `/`. */
  path: string
  /** 1-based. */
  line: number
  /** Byte offset of the match in the line as UTF-8; `undefined` for an empty match at its end. */
  offset: number | undefined
  /** `undefined` for a line that was too long to print. */
  text: Buffer | undefined
}

const NEWLINE = 10
/** Separates the fields: text files contain no NUL. */
const SEPARATOR = 0
/** Printed by ripgrep when it finds a NUL character in a file. */
const BINARY = new RegExp('^(.*?): (?:WARNING: stopped searching binary file after match|binary file matches) '
  + String.raw`\(found "\\0" byte around offset \d+\)\r?\n`, 's')
const TOO_LONG = /^\[Omitted long (?:matching )?line(?: with \d+ matches)?\]\r?$/

/**
 * Reads ripgrep's output (`--null --field-match-separator=\\x00 --line-number --column --no-heading`) in pieces: path,
 * line, column and text, separated by NUL. Its `--json` is not used since it prints long lines in full and lists every
 * match in them.
 */
export class RipgrepReader {
  #pending: Buffer = Buffer.alloc(0)

  /** @param onBinary called if a file turns out not to be text; records of it may have come before */
  constructor(
    private readonly onRecord: (record: RipgrepRecord) => void, private readonly onBinary: (path: string) => void,
  ) {}

  push(piece: Buffer): void {
    const all = this.#pending.length === 0 ? piece : Buffer.concat([this.#pending, piece])
    let from = 0
    for (;;) {
      const nul = all.indexOf(SEPARATOR, from)
      const end = nul === -1 ? -1 : all.indexOf(NEWLINE, nul)
      if (end === -1) break
      this.#read(this.#withoutNotes(nameOfBytes(all.subarray(from, nul))), all.subarray(nul + 1, end))
      from = end + 1
    }
    this.#pending = all.subarray(from)
  }

  /** Call it after the last piece. */
  end(): void {
    this.#withoutNotes(nameOfBytes(this.#pending))
  }

  /**
   * Removes ripgrep's notes before a path. A path may contain line breaks, so only the notes' wording distinguishes
   * them.
   */
  #withoutNotes(head: string): string {
    let rest = head
    for (let note = BINARY.exec(rest); note !== null; note = BINARY.exec(rest)) {
      this.onBinary(note[1] ?? '')
      rest = rest.slice(note[0].length)
    }
    return rest
  }

  #read(path: string, rest: Buffer): void {
    const first = rest.indexOf(SEPARATOR)
    const second = rest.indexOf(SEPARATOR, first + 1)
    const text = rest.subarray(Math.max(first, second) + 1)
    this.onRecord({
      path,
      line: Number(rest.toString('latin1', 0, first)),
      offset: second === -1 ? undefined : Number(rest.toString('latin1', first + 1, second)) - 1,
      text: text.length < 100 && TOO_LONG.test(text.toString('latin1')) ? undefined : text,
    })
  }
}
