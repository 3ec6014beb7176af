/** What the shell tells of itself, between what programs print. */
export interface Marker {
  /** Number of the command it belongs to. */
  command: number
  kind: 'ready' | 'started' | 'ended' | 'left'
  /** Exit status of the command. */
  status: number
  /** The shell's directory. */
  cwd: string
}

const KINDS = ['ready', 'started', 'ended', 'left'] as const
/** Control sequence of a number that no terminal knows. Digits only: no setting of a terminal changes them. */
export const INTRODUCER = '\u001b]8337;'
const END = '\u0007'
/** A directory's name is not longer, in bytes; each may be printed as two. */
const MAX_MARKER = 16 * 1024

/**
 * Tells the markers of a shell from what programs print: they carry a number that is chosen at random for each shell.
 * Whatever else is printed, in whatever pieces it comes, is handed on byte for byte.
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

  /** What came, in order. */
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

  /** What was held back, since it might have become a marker. */
  end(): Buffer {
    const held = this.#held
    this.#held = Buffer.alloc(0)
    return held
  }

  /** How many bytes at the end may be the beginning of a marker. */
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
  // The terminal makes two of each line break.
  return { command: Number(command), kind: name, status: Number(status), cwd: cwd.replaceAll('\r\n', '\n') }
}
