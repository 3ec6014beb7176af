/** A message of the shell about its own state, embedded in its output. */
export interface Marker {
  /** Number of the command it refers to. */
  command: number
  kind: 'ready' | 'started' | 'ended' | 'left'
  /** Exit status of the command. */
  status: number
  /** The shell's directory. */
  cwd: string
}

const KINDS = ['ready', 'started', 'ended', 'left'] as const
/** An OSC sequence with a number that no terminal uses. Digits only: no terminal setting changes them. */
export const INTRODUCER = '\u001b]8337;'
const END = '\u0007'
/** Longest marker, in bytes: a directory's path has its limit, and each byte may be printed as two. */
const MAX_MARKER = 16 * 1024

/**
 * Separates a shell's markers from the output of programs, by a random number for each shell. All other bytes are
 * passed on unchanged, however they are split.
 */
export class MarkerReader {
  readonly #opening: Buffer
  readonly #closing: Buffer
  #held = Buffer.alloc(0)

  /** @param nonce digits */
  constructor(nonce: string) {
    this.#opening = Buffer.from(`${INTRODUCER}${nonce};`)
    this.#closing = Buffer.from(`;${nonce}${END}`)
  }

  /** Yields output and markers, in order. */
  *read(bytes: Buffer): Generator<Buffer | Marker, void> {
    let rest = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes])
    for (;;) {
      const start = rest.indexOf(this.#opening)
      if (start === -1) break
      const inside = start + this.#opening.length
      const end = rest.indexOf(this.#closing, inside - 1)
      if (end === -1 && rest.length - start <= MAX_MARKER) {
        if (start > 0) yield rest.subarray(0, start)
        this.#held = Buffer.from(rest.subarray(start))
        return
      }
      const marker = end === -1 ? undefined : parse(rest.toString('utf8', inside, end))
      const after = marker === undefined ? inside : end + this.#closing.length
      if (marker === undefined) yield rest.subarray(0, inside)
      else {
        if (start > 0) yield rest.subarray(0, start)
        yield marker
      }
      rest = rest.subarray(after)
    }
    const kept = this.#partOfOpening(rest)
    if (kept < rest.length) yield rest.subarray(0, rest.length - kept)
    this.#held = Buffer.from(rest.subarray(rest.length - kept))
  }

  /** Returns bytes held back because they might have become a marker. */
  end(): Buffer {
    const held = this.#held
    this.#held = Buffer.alloc(0)
    return held
  }

  /** Number of bytes at the end that may be the beginning of a marker. */
  #partOfOpening(bytes: Buffer): number {
    for (let length = Math.min(bytes.length, this.#opening.length - 1); length > 0; length--) {
      if (bytes.subarray(bytes.length - length).equals(this.#opening.subarray(0, length))) return length
    }
    return 0
  }
}

function parse(text: string): Marker | undefined {
  const [, command, kind, status, cwd = ''] = /^(\d{1,9});([0-3]);(\d{1,5});(.*)$/s.exec(text) ?? []
  const name = KINDS[Number(kind)]
  if (command === undefined || name === undefined) return undefined
  // The terminal turns each line break into CRLF.
  return { command: Number(command), kind: name, status: Number(status), cwd: cwd.replaceAll('\r\n', '\n') }
}
