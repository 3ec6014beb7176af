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
