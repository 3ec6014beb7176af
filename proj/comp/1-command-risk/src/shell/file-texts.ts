/** Contents of the files that a script itself wrote or fetched, by path; `./a` and `a` are the same. */
export class FileTexts {
  readonly #texts = new Map<string, string>()

  get(path: string): string | undefined {
    return this.#texts.get(plain(path))
  }

  set(path: string, text: string): void {
    this.#texts.set(plain(path), text)
  }

  get size(): number {
    return this.#texts.size
  }
}

function plain(path: string): string {
  return path.replace(/\/{2,}|\/(?:\.\/)+/g, '/').replace(/^(?:\.\/)+/, '')
}
