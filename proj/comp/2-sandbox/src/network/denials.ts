/** A host that was asked for in vain. `private`: it is named, and leads to an address that is not. */
export interface DeniedHost {
  host: string
  why: 'unnamed' | 'private'
}

/** Most hosts that are remembered; the oldest are forgotten first. */
const MOST = 100

/** The hosts that a proxy refused, each once. */
export class Denials {
  readonly #hosts = new Map<string, DeniedHost & { at: number }>()
  #count = 0

  add(denied: DeniedHost): void {
    this.#hosts.delete(denied.host)
    this.#hosts.set(denied.host, { ...denied, at: ++this.#count })
    const [oldest] = this.#hosts.keys()
    if (this.#hosts.size > MOST && oldest !== undefined) this.#hosts.delete(oldest)
  }

  /** @returns what tells those that were refused from now on */
  fromNow(): () => DeniedHost[] {
    const from = this.#count
    return () => [...this.#hosts.values()].filter(({ at }) => at > from).map(({ host, why }) => ({ host, why }))
  }
}
