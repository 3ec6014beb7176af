import type { LoadedPolicy } from '../../../2-config/src/index.js'
import type { AnyVerb, ExtensionSetting } from '../../../0-contracts/src/index.js'
import type { ExtensionUi, LivingExtensions, PreparedAnswer } from '../../../2-extensions/src/index.js'
import type { VerbRegistry } from '../../../1-registry/src/index.js'
import { joinSignals } from './join-signals.js'
import type { ExecutorOptions, Settings } from './settings.js'

/** How an answer is prepared. */
export interface PrepareOptions {
  /** Default: those of the session. */
  extensions?: readonly (string | ExtensionSetting)[]
  /** Who answers dialogues of extensions; default: the session's. */
  ui?: ExtensionUi
  signal?: AbortSignal
  /** Absolute, of the file that holds the answer. */
  filePath?: string
}

/** The extensions of a session: they are loaded, and started, when an answer or a verb needs one. */
export class SessionExtensions {
  readonly #root: string
  readonly #options: ExecutorOptions
  readonly #settings: Settings
  readonly #disposed: AbortSignal
  #living: Promise<LivingExtensions> | undefined

  /** @param root canonical @param disposed aborted when the session ends */
  constructor(root: string, options: ExecutorOptions, settings: Settings, disposed: AbortSignal) {
    this.#root = root
    this.#options = options
    this.#settings = settings
    this.#disposed = disposed
  }

  /**
   * An answer as they leave it.
   *
   * @throws HermesError where one is not there or fails: then nothing is to run
   */
  async prepare(
    text: string, { extensions = this.#settings.extensions, ui, signal, filePath }: PrepareOptions,
  ): Promise<PreparedAnswer> {
    const { editFormats, startsInThink } = this.#settings
    const living = await this.#start()
    const { signal: any, release } = joinSignals([this.#options.signal, signal, this.#disposed])
    try {
      const prepared = await living.rewrite(text, extensions, {
        ui, signal: any, editFormats, startsInThink, ...(filePath !== undefined && { filePath }),
      })
      const mask = (one: string): string => this.#settings.masker.value(one)
      return { ...prepared, rewrites: prepared.rewrites.map((one) => ({ ...one, diff: mask(one.diff) })) }
    } finally {
      release()
    }
  }

  /**
   * Adds the verbs that the user's config brings to those of the session.
   *
   * @returns a line for each that is left out
   */
  async addVerbs(
    registry: VerbRegistry, loaded: LoadedPolicy, isWanted: (verb: AnyVerb) => boolean,
  ): Promise<readonly string[]> {
    if (loaded.verbExtensions.length + loaded.verbModules.length === 0) return []
    const { addConfiguredVerbs } = await import('../own-verbs/index.js')
    return addConfiguredVerbs(registry, loaded, async () => this.#start(), this.#disposed, isWanted)
  }

  /** Ends those that were started. */
  async end(): Promise<void> {
    await (await this.#living)?.[Symbol.asyncDispose]()
  }

  #start(): Promise<LivingExtensions> {
    this.#living ??= this.#load()
    return this.#living
  }

  async #load(): Promise<LivingExtensions> {
    const { LivingExtensions } = await import('../../../2-extensions/src/index.js')
    const {
      extensionLimitMs: limitMs, extensionQuietMs: quietMs, extensionUi: ui, onExtensionLog: onLog,
      onExtensionWarning: onWarning,
    } = this.#options
    return new LivingExtensions({ root: this.#root, limitMs, quietMs, prefix: '--extension ', ui, onLog, onWarning })
  }
}
