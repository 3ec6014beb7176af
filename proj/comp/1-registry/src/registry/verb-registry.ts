import { HermesError, type AnyVerb } from '../../../0-contracts/src/index.js'
import { nearestAction } from '../../../0-text/src/index.js'
import { toolName } from './tool-definitions.js'

/** A verb that is loaded on first use. */
export interface LazyVerb {
  name: string
  /** Semver, if known before loading; several major versions of the verb may then be registered. */
  version?: string
  load: () => Promise<AnyVerb>
}

/** State that a registry shares with its views. */
interface Registered {
  /** By key: the versions of a verb, one for each major version, newest first. */
  verbs: Map<string, LazyVerb[]>
  /** Keys by function calling name, in lower case. */
  byToolName: Map<string, string>
  loaded: Map<LazyVerb, AnyVerb>
}

/**
 * All verbs by their unique names. SHAM and tool names are case-sensitive, dotted names are not; a dotted name may also
 * be written for function calling, `fs_writeFile`. Registering loads nothing. Several major versions of a verb may be
 * registered: the newest counts, except in a view that selects another (`at`).
 */
export class VerbRegistry {
  #registered: Registered = { verbs: new Map(), byToolName: new Map(), loaded: new Map() }
  /** By key: the version to use in place of the newest. */
  #pins: ReadonlyMap<string, string> = new Map()

  /** @throws as `register` and `registerLazy` */
  constructor(verbs: Iterable<AnyVerb | LazyVerb> = []) {
    for (const verb of verbs) {
      if ('load' in verb) this.registerLazy(verb)
      else this.register(verb)
    }
  }

  /**
   * Adds a verb.
   *
   * @throws HermesError `ALREADY_REGISTERED` when the name is taken by the same major version, `INVALID_OPTION` when it
   *   is no verb
   */
  register(verb: AnyVerb): this {
    requireVerb(verb)
    return this.registerLazy({ name: verb.name, version: verb.version, load: () => Promise.resolve(verb) })
  }

  /**
   * Adds a verb that is loaded when it is first needed.
   *
   * @throws HermesError `ALREADY_REGISTERED` when the name (or its function calling form) is taken by the same major
   *   version
   */
  registerLazy(verb: LazyVerb): this {
    const { verbs, byToolName } = this.#registered
    const key = keyOf(verb.name)
    const tool = toolName(verb.name).toLowerCase()
    const beside = verbs.get(key)
    const other = byToolName.get(tool)
    const isOther = other !== undefined && other !== key && (other.includes('.') || key.includes('.'))
    if (isOther || beside?.some((stored) => isSameMajor(stored, verb))) {
      throw new HermesError('ALREADY_REGISTERED', `Verb '${verb.name}' is already registered.`, {
        hint: 'Give the verb another name or another major version, or start from an empty VerbRegistry.',
      })
    }
    verbs.set(key, [verb, ...beside ?? []].sort((a, b) => (majorOf(b) ?? 0) - (majorOf(a) ?? 0)))
    byToolName.set(tool, key)
    return this
  }

  /**
   * A view with other versions than the newest; both share later registrations. Versions are matched by major number;
   * one that is not registered has no effect.
   *
   * @param versions by verb name, e.g. `{ count_words: '1.0.0' }`
   */
  at(versions: Readonly<Record<string, string>>): VerbRegistry {
    const view = new VerbRegistry()
    view.#registered = this.#registered
    view.#pins = new Map(Object.entries(versions).map(([name, version]) => [this.#find(name), version]))
    return view
  }

  /** Registered versions of a verb, if known, newest first. */
  versions(name: string): string[] {
    return (this.#registered.verbs.get(this.#find(name)) ?? []).flatMap(({ version }) => version ?? [])
  }

  /** Names in order of registration. */
  names(): string[] {
    return [...this.#registered.verbs.values()].flatMap(([newest]) => newest?.name ?? [])
  }

  /**
   * The registered form of a name, also of its function calling form (`fs_exists`).
   *
   * @param ignoreCase for all names; default: only for dotted ones
   */
  nameOf(name: string, ignoreCase = false): string | undefined {
    const chosen = this.#chosen(name)?.name
    if (chosen !== undefined || !ignoreCase) return chosen
    const lower = name.toLowerCase()
    return this.names().find((known) => known.toLowerCase() === lower)
  }

  /** Whether a name is known, in any form that `load` takes. */
  has(name: string): boolean {
    return this.#chosen(name) !== undefined
  }

  /** The verb of that name, loaded once; `undefined` where there is none. Rejects with the error of loading. */
  async load(name: string): Promise<AnyVerb | undefined> {
    const chosen = this.#chosen(name)
    if (!chosen) return undefined
    const loaded = this.#registered.loaded.get(chosen) ?? (await chosen.load())
    this.#registered.loaded.set(chosen, loaded)
    return loaded
  }

  /** Loads all verbs, in order of registration. */
  async loadAll(): Promise<AnyVerb[]> {
    const verbs = await Promise.all(this.names().map((name) => this.load(name)))
    return verbs.filter((verb) => verb !== undefined)
  }

  /** The verbs that can be loaded, in order of registration, and the errors of the others. */
  async loadUsable(): Promise<{ verbs: AnyVerb[]; failures: unknown[] }> {
    const loaded = await Promise.allSettled(this.names().map((name) => this.load(name)))
    return {
      verbs: loaded.flatMap((outcome) => (outcome.status === 'fulfilled' && outcome.value ? [outcome.value] : [])),
      failures: loaded.flatMap((outcome): unknown[] => (outcome.status === 'rejected' ? [outcome.reason] : [])),
    }
  }

  #chosen(name: string): LazyVerb | undefined {
    const key = this.#find(name)
    const versions = this.#registered.verbs.get(key)
    const pin = this.#pins.get(key)
    return (pin === undefined ? undefined : versions?.find((version) => majorOf(version) === majorOf({ version: pin })))
      ?? versions?.[0]
  }

  #find(name: string): string {
    const { verbs, byToolName } = this.#registered
    const key = keyOf(name)
    if (verbs.has(key)) return key
    const dotted = byToolName.get(name.toLowerCase())
    return dotted?.includes('.') === true ? dotted : key
  }

  /** The registered name most similar to a wrong one. */
  nearest(name: string): string | undefined {
    return nearestAction(name, this.names())
  }

  /** The similar name, if it is the only one. */
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

/** Validates at runtime, for callers without a type checker. */
function requireVerb(verb: AnyVerb): void {
  for (const [field, holds, expected] of FIELDS) {
    if (holds((verb as Partial<AnyVerb> | undefined)?.[field])) continue
    throw new HermesError(
      'INVALID_OPTION', `A verb's ${field} must be ${expected}`, { hint: 'Make the verb with defineVerb.' },
    )
  }
}

/** An unknown version may be the same major version. */
function isSameMajor(verb: LazyVerb, other: LazyVerb): boolean {
  const [first, second] = [majorOf(verb), majorOf(other)]
  return first === undefined || second === undefined || first === second
}

function majorOf({ version }: Pick<LazyVerb, 'version'>): number | undefined {
  const major = /^\d+/.exec(version ?? '')
  return major ? Number(major[0]) : undefined
}

function keyOf(name: string): string {
  return name.includes('.') ? name.toLowerCase() : name
}
