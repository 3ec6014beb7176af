import { HermesError, type AnyVerb } from '../../../0-contracts/src/index.js'
import { nearestAction } from '../../../0-text/src/index.js'
import { toolName } from './tool-definitions.js'

/** A verb that is loaded when it is first used. */
export interface LazyVerb {
  name: string
  load: () => Promise<AnyVerb>
}

/**
 * Every verb under its one name. SHAM and tool names match exactly, dotted names without regard to case (contract
 * section 3); a dotted name may be written as function calling writes it, `fs_writeFile`. Registering loads nothing.
 */
export class VerbRegistry {
  readonly #verbs = new Map<string, LazyVerb>()
  /** The same keys by the names of function calling, in lower case. */
  readonly #byToolName = new Map<string, string>()
  /** Verbs already loaded, by the same keys. */
  readonly #loaded = new Map<string, AnyVerb>()

  /** @throws as `register` and `registerLazy` do */
  constructor(verbs: Iterable<AnyVerb | LazyVerb> = []) {
    for (const verb of verbs) {
      if ('load' in verb) this.registerLazy(verb)
      else this.register(verb)
    }
  }

  /** @throws HermesError `ALREADY_REGISTERED` when the name is taken, `INVALID_OPTION` when it is no verb */
  register(verb: AnyVerb): this {
    requireVerb(verb)
    return this.registerLazy({ name: verb.name, load: () => Promise.resolve(verb) })
  }

  /** @throws HermesError `ALREADY_REGISTERED` when the name is taken, also as a name of function calling */
  registerLazy(verb: LazyVerb): this {
    const key = keyOf(verb.name)
    const tool = toolName(verb.name).toLowerCase()
    const other = this.#byToolName.get(tool)
    if (this.#verbs.has(key) || (other !== undefined && (other.includes('.') || key.includes('.')))) {
      throw new HermesError('ALREADY_REGISTERED', `Verb '${verb.name}' is already registered.`, {
        hint: 'Give the verb another name, or start from an empty VerbRegistry.',
      })
    }
    this.#verbs.set(key, verb)
    this.#byToolName.set(tool, key)
    return this
  }

  /** Names in the order registered. */
  names(): string[] {
    return [...this.#verbs.values()].map((verb) => verb.name)
  }

  /**
   * The registered form of a name, also of one as function calling writes it (`fs_exists`).
   *
   * @param ignoreCase of all names, as seed 000's registry does it; otherwise only of dotted ones
   */
  nameOf(name: string, ignoreCase = false): string | undefined {
    const found = this.#verbs.get(this.#find(name))?.name
    if (found !== undefined || !ignoreCase) return found
    const lower = name.toLowerCase()
    return this.names().find((one) => one.toLowerCase() === lower)
  }

  has(name: string): boolean {
    return this.#verbs.has(this.#find(name))
  }

  /** The verb of that name, loaded once; `undefined` where there is none. Rejects with what its loading throws. */
  async load(name: string): Promise<AnyVerb | undefined> {
    const key = this.#find(name)
    const loaded = this.#loaded.get(key) ?? (await this.#verbs.get(key)?.load())
    if (loaded) this.#loaded.set(key, loaded)
    return loaded
  }

  /** Loads every verb, in the order registered. */
  async loadAll(): Promise<AnyVerb[]> {
    const verbs = await Promise.all(this.names().map((name) => this.load(name)))
    return verbs.filter((verb) => verb !== undefined)
  }

  #find(name: string): string {
    const key = keyOf(name)
    if (this.#verbs.has(key)) return key
    const dotted = this.#byToolName.get(name.toLowerCase())
    return dotted?.includes('.') === true ? dotted : key
  }

  /** The registered name most like a wrong one. */
  nearest(name: string): string | undefined {
    return nearestAction(name, this.names())
  }

  /** The same, where no other name is near. */
  onlyNear(name: string): string | undefined {
    const near = this.nearest(name)
    const others = this.names().filter((each) => each !== near)
    return near === undefined || nearestAction(name, others) !== undefined ? undefined : near
  }
}

const FIELDS: readonly (readonly [keyof AnyVerb, (value: unknown) => boolean, string])[] = [
  ['name', (value) => typeof value === 'string' && /^[A-Za-z][\w.-]*$/.test(value), 'a name of letters, digits, '
    + '_, - and dots'],
  ['vocabulary', (value) => ['clada', 'hermes', 'core'].includes(value as string), 'clada, hermes or core'],
  [
    'type', (value) => ['read', 'write', 'exec', 'meta', 'git', 'dynamic'].includes(value as string),
    'read, write, exec, meta, git or dynamic',
  ],
  ['accessibility', (value) => Array.isArray(value), 'a list of llm and user'],
  ['args', (value) => typeof value === 'object' && value !== null && 'entries' in value, 'a valibot object schema'],
  ['result', (value) => typeof value === 'object' && value !== null && 'type' in value, 'a valibot schema'],
  ['handler', (value) => typeof value === 'function', 'a function'],
]

/** For callers whose compiler does not check. */
function requireVerb(verb: AnyVerb): void {
  for (const [field, holds, expected] of FIELDS) {
    if (holds((verb as Partial<AnyVerb> | undefined)?.[field])) continue
    throw new HermesError(
      'INVALID_OPTION', `A verb's ${field} must be ${expected}`, { hint: 'Make the verb with defineVerb.' },
    )
  }
}

function keyOf(name: string): string {
  return name.includes('.') ? name.toLowerCase() : name
}
