import type { KeptResource, VerbContext } from '../../../0-contracts/src/index.js'

/** How long what a session has read is kept when nobody asks for it. */
const KEPT_MS = 10 * 60_000

/**
 * What a session keeps between calls, each of which sees the files' current content. It is dropped once nobody has
 * asked for it for a while; no process waits for that.
 */
export abstract class KeptWhileUsed implements KeptResource {
  #timer: NodeJS.Timeout | undefined

  /** What the session keeps by a name: one of this kind, else a new one from now on. */
  protected static of<Kept extends KeptWhileUsed>(
    { kept }: VerbContext['session'], name: string, kind: abstract new (...args: never[]) => Kept, make: () => Kept,
  ): Kept {
    const open = kept?.get(name)
    if (open instanceof kind) return open
    const made = make()
    kept?.set(name, made)
    return made
  }

  protected abstract drop(): void

  /** It is in use, or dropped already. */
  protected begin(): void {
    clearTimeout(this.#timer)
  }

  /** Its use has ended. */
  protected end(): void {
    this.begin()
    this.#timer = setTimeout(() => this.forget(), KEPT_MS).unref()
  }

  protected forget(): void {
    this.begin()
    this.drop()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.forget()
  }
}
