import { HermesError } from '../../../0-contracts/src/index.js'
import { formatNodeError } from '../store/index.js'

const NAMED = 5

/** Collects what a search could not read, so that it is told and not passed over in silence. */
export class Unreadable {
  readonly #errors: { path: string; error: Error & { code: string } }[] = []

  constructor(private readonly verb: string) {}

  add(path: string, error: Error & { code: string }): void {
    this.#errors.push({ path, error })
  }

  /** @throws HermesError with the first error's code and `found` as its data, if anything was unreadable */
  throwIfAny(data: unknown): void {
    const [first] = this.#errors
    if (!first) return
    const named = this.#errors.slice(0, NAMED).map(({ path }) => `'${path}'`).join(', ')
    const more = this.#errors.length > NAMED ? ` and ${this.#errors.length - NAMED} more` : ''
    throw new HermesError(first.error.code, formatNodeError(first.error, first.path, this.verb), {
      hint: `Could not be read: ${named}${more}. The data holds what was found elsewhere.`,
      data,
    })
  }
}
