import type { LoadedPolicy } from '../../../2-config/src/index.js'
import type { AnyVerb, ExtensionSetting } from '../../../0-contracts/src/index.js'
import type { ExtensionUi, LivingExtensions, PreparedAnswer } from '../../../2-extensions/src/index.js'
import type { VerbRegistry } from '../../../1-registry/src/index.js'
import { joinSignals } from './async/join-signals.js'
import type { ExecutorOptions, Settings } from './settings.js'

/** Options for preparing an answer. */
export interface PrepareOptions {
  /** Default: the session's. */
  extensions?: readonly (string | ExtensionSetting)[] | undefined
  /** Answers dialogues of extensions; default: the session's. */
  ui?: ExtensionUi | undefined
  signal?: AbortSignal | undefined
  /** Absolute path of the file that holds the answer. */
  filePath?: string | undefined
}

/** The session's extensions: loaded and started when an answer or a verb first needs one. */
export class SessionExtensions {
  #living: Promise<LivingExtensions> | undefined

  /** @param root absolute with links resolved @param disposed aborted when the session ends */
  constructor(
    private readonly root: string, private readonly options: ExecutorOptions, private readonly settings: Settings,
    private readonly disposed: AbortSignal,
  ) {}

  /**
   * Applies the extensions to an answer.
   *
   * @throws HermesError where an extension is missing or fails: then nothing must run
   */
  async prepare(
    text: string, { extensions = this.settings.extensions, ui, signal, filePath }: PrepareOptions,
  ): Promise<PreparedAnswer> {
    const { editFormats, startsInThink } = this.settings
    const living = await this.#start()
    const { signal: any, release } = joinSignals([this.options.signal, signal, this.disposed])
    try {
      const prepared = await living.rewrite(text, extensions, {
        ui, signal: any, editFormats, startsInThink, ...(filePath !== undefined && { filePath }),
      })
      const mask = (value: string): string => this.settings.masker.value(value)
      return { ...prepared, rewrites: prepared.rewrites.map((rewrite) => ({ ...rewrite, diff: mask(rewrite.diff) })) }
    } finally {
      release()
    }
  }

  /**
   * Adds the verbs that the user's config provides to the registry.
   *
   * @returns one warning line for each verb left out
   */
  async addVerbs(
    registry: VerbRegistry, loaded: LoadedPolicy, isWanted: (verb: AnyVerb) => boolean,
  ): Promise<readonly string[]> {
    if (loaded.verbExtensions.length + loaded.verbModules.length === 0) return []
    const { addConfiguredVerbs } = await import('../own-verbs/index.js')
    return addConfiguredVerbs(registry, loaded, async () => this.#start(), this.disposed, isWanted)
  }

  /** Ends the started extensions. */
  async end(): Promise<void> {
    await (await this.#living)?.[Symbol.asyncDispose]()
  }

  #start(): Promise<LivingExtensions> {
    return this.#living ??= this.#load()
  }

  async #load(): Promise<LivingExtensions> {
    const { LivingExtensions } = await import('../../../2-extensions/src/index.js')
    const {
      extensionLimitMs: limitMs, extensionQuietMs: quietMs, extensionUi: ui, onExtensionLog: onLog,
      onExtensionWarning: onWarning,
    } = this.options
    return new LivingExtensions({ root: this.root, limitMs, quietMs, prefix: '--extension ', ui, onLog, onWarning })
  }
}
