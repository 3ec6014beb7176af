/** UTF-16 units to look for; each line that is read by itself asks several of these, so that a hash would be slow. */
export class CharSet {
  readonly #ascii = new Uint8Array(ASCII)
  readonly #others: ReadonlySet<number>

  constructor(chars: string) {
    const codes = Array.from({ length: chars.length }, (_, at) => chars.charCodeAt(at))
    for (const code of codes) if (code < ASCII) this.#ascii[code] = 1
    this.#others = new Set(codes.filter((code) => code >= ASCII))
  }

  has(code: number): boolean {
    return code < ASCII ? this.#ascii[code] === 1 : this.#others.size > 0 && this.#others.has(code)
  }
}

const ASCII = 128

/** Behind the run of the character at `from`. */
export function endOfRun(text: string, from: number): number {
  const code = text.charCodeAt(from)
  let at = from + 1
  while (at < from + SHORT_RUN && text.charCodeAt(at) === code) at++
  const other = at < from + SHORT_RUN ? undefined : OTHERS.get(code)
  if (!other) {
    while (text.charCodeAt(at) === code) at++
    return at
  }
  // Native search: a line may be one run.
  other.lastIndex = at
  const match = other.exec(text)
  return match ? match.index : text.length
}

const SHORT_RUN = 16
const OTHERS: ReadonlyMap<number, RegExp> = new Map([[0x60, /[^`]/g], [0x7e, /[^~]/g], [0x3c, /[^<]/g]])
