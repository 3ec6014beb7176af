import { HermesError, type AnyVerb } from '../../contracts/src/index.js'
import { nearest } from '../../text/src/index.js'

/** A verb that is loaded when it is first used. */
export interface LazyVerb {
  name: string
  load: () => Promise<AnyVerb>
}

/**
 * Every verb under its one name. SHAM and tool names match exactly, dotted names without regard to case (contract
 * section 3). Registering loads nothing.
 */
export class VerbRegistry {
  readonly #verbs = new Map<string, LazyVerb>()

  constructor(verbs: Iterable<LazyVerb> = []) {
    for (const verb of verbs) this.registerLazy(verb)
  }

  /** @throws HermesError `ALREADY_REGISTERED` when the name is taken */
  register(verb: AnyVerb): this {
    return this.registerLazy({ name: verb.name, load: () => Promise.resolve(verb) })
  }

  /** @throws HermesError `ALREADY_REGISTERED` when the name is taken */
  registerLazy(verb: LazyVerb): this {
    const key = keyOf(verb.name)
    if (this.#verbs.has(key)) {
      throw new HermesError('ALREADY_REGISTERED', `Verb '${verb.name}' is already registered.`, {
        hint: 'Give the verb another name, or start from an empty VerbRegistry.',
      })
    }
    this.#verbs.set(key, verb)
    return this
  }

  /** Names in the order registered. */
  names(): string[] {
    return [...this.#verbs.values()].map((verb) => verb.name)
  }

  has(name: string): boolean {
    return this.#verbs.has(keyOf(name))
  }

  async load(name: string): Promise<AnyVerb | undefined> {
    return this.#verbs.get(keyOf(name))?.load()
  }

  /** Loads every verb, in the order registered. */
  async loadAll(): Promise<AnyVerb[]> {
    return Promise.all([...this.#verbs.values()].map((verb) => verb.load()))
  }

  /** The registered name most like a wrong one. */
  nearest(name: string): string | undefined {
    return nearest(name, this.names())
  }
}

function keyOf(name: string): string {
  return name.includes('.') ? name.toLowerCase() : name
}
