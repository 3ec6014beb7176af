import { HermesError, type AnyVerb } from '../../../0-contracts/src/index.js'
import { nearestAction } from '../../../0-text/src/index.js'
import { toolName } from './tool-definitions.js'

/** A verb that is loaded when it is first used. */
export interface LazyVerb {
  name: string
  /** semver, where it is known before: then another major version of the verb may stand beside it. */
  version?: string
  load: () => Promise<AnyVerb>
}

/** What a registry and its views share. */
interface Registered {
  /** Of each name its major versions, the newest first. */
  verbs: Map<string, LazyVerb[]>
  /** The same keys by the names of function calling, in lower case. */
  byToolName: Map<string, string>
  loaded: Map<LazyVerb, AnyVerb>
}

/**
 * Every verb under its one name. SHAM and tool names match exactly, dotted names without regard to case (contract
 * section 3); a dotted name may be written as function calling writes it, `fs_writeFile`. Registering loads nothing.
 * Of a verb several major versions may be registered (seed 004 'Versioning'): the newest is the one that counts, but
 * in a view that names another (`at`).
 */
export class VerbRegistry {
  #registered: Registered = { verbs: new Map(), byToolName: new Map(), loaded: new Map() }
  /** By key, the version that is wanted in place of the newest. */
  #pins: ReadonlyMap<string, string> = new Map()

  /** @throws as `register` and `registerLazy` do */
  constructor(verbs: Iterable<AnyVerb | LazyVerb> = []) {
    for (const verb of verbs) {
      if ('load' in verb) this.registerLazy(verb)
      else this.register(verb)
    }
  }

  /**
   * @throws HermesError `ALREADY_REGISTERED` when the name is taken, but by another major version, `INVALID_OPTION`
   *   when it is no verb
   */
  register(verb: AnyVerb): this {
    requireVerb(verb)
    return this.registerLazy({ name: verb.name, version: verb.version, load: () => Promise.resolve(verb) })
  }

  /**
   * @throws HermesError `ALREADY_REGISTERED` when the name is taken, also as a name of function calling, but by another
   *   major version
   */
  registerLazy(verb: LazyVerb): this {
    const { verbs, byToolName } = this.#registered
    const key = keyOf(verb.name)
    const tool = toolName(verb.name).toLowerCase()
    const beside = verbs.get(key)
    const other = byToolName.get(tool)
    const isOther = other !== undefined && other !== key && (other.includes('.') || key.includes('.'))
    if (isOther || beside?.some((one) => isSameMajor(one, verb))) {
      throw new HermesError('ALREADY_REGISTERED', `Verb '${verb.name}' is already registered.`, {
        hint: 'Give the verb another name or another major version, or start from an empty VerbRegistry.',
      })
    }
    verbs.set(key, [verb, ...beside ?? []].sort((a, b) => (majorOf(b) ?? 0) - (majorOf(a) ?? 0)))
    byToolName.set(tool, key)
    return this
  }

  /**
   * The same verbs, with other versions in the place of the newest: what is registered in one is there in the other. A
   * version counts by its major number; one that is not registered changes nothing.
   *
   * @param versions by the names of verbs, e.g. `{ count_words: '1.0.0' }`
   */
  at(versions: Readonly<Record<string, string>>): VerbRegistry {
    const view = new VerbRegistry()
    view.#registered = this.#registered
    view.#pins = new Map(Object.entries(versions).map(([name, version]) => [this.#find(name), version]))
    return view
  }

  /** The versions of a verb that are registered and known, the newest first. */
  versions(name: string): string[] {
    return (this.#registered.verbs.get(this.#find(name)) ?? []).flatMap(({ version }) => version ?? [])
  }

  /** Names in the order registered. */
  names(): string[] {
    return [...this.#registered.verbs.values()].flatMap(([newest]) => newest?.name ?? [])
  }

  /**
   * The registered form of a name, also of one as function calling writes it (`fs_exists`).
   *
   * @param ignoreCase of all names, as seed 000's registry does it; otherwise only of dotted ones
   */
  nameOf(name: string, ignoreCase = false): string | undefined {
    const found = this.#chosen(name)?.name
    if (found !== undefined || !ignoreCase) return found
    const lower = name.toLowerCase()
    return this.names().find((one) => one.toLowerCase() === lower)
  }

  has(name: string): boolean {
    return this.#chosen(name) !== undefined
  }

  /** The verb of that name, loaded once; `undefined` where there is none. Rejects with what its loading throws. */
  async load(name: string): Promise<AnyVerb | undefined> {
    const chosen = this.#chosen(name)
    if (!chosen) return undefined
    const loaded = this.#registered.loaded.get(chosen) ?? (await chosen.load())
    this.#registered.loaded.set(chosen, loaded)
    return loaded
  }

  /** Loads every verb, in the order registered. */
  async loadAll(): Promise<AnyVerb[]> {
    const verbs = await Promise.all(this.names().map((name) => this.load(name)))
    return verbs.filter((verb) => verb !== undefined)
  }

  /** Those that can be loaded, in the order registered, and what the loading of the others threw. */
  async loadUsable(): Promise<{ verbs: AnyVerb[]; failures: unknown[] }> {
    const loaded = await Promise.allSettled(this.names().map((name) => this.load(name)))
    return {
      verbs: loaded.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : [])),
      failures: loaded.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : [])),
    }
  }

  #chosen(name: string): LazyVerb | undefined {
    const key = this.#find(name)
    const versions = this.#registered.verbs.get(key)
    const pin = this.#pins.get(key)
    return (pin === undefined ? undefined : versions?.find((one) => majorOf(one) === majorOf({ version: pin })))
      ?? versions?.[0]
  }

  #find(name: string): string {
    const { verbs, byToolName } = this.#registered
    const key = keyOf(name)
    if (verbs.has(key)) return key
    const dotted = byToolName.get(name.toLowerCase())
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

/** What is of no known version may be the same. */
function isSameMajor(one: LazyVerb, other: LazyVerb): boolean {
  const [first, second] = [majorOf(one), majorOf(other)]
  return first === undefined || second === undefined || first === second
}

function majorOf({ version }: Pick<LazyVerb, 'version'>): number | undefined {
  const major = /^\d+/.exec(version ?? '')
  return major ? Number(major[0]) : undefined
}

function keyOf(name: string): string {
  return name.includes('.') ? name.toLowerCase() : name
}
