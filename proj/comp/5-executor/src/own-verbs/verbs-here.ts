/// <reference lib="esnext.disposable" preserve="true" />
import { realpathSync } from 'node:fs'
import { loadPolicy } from '../../../2-config/src/index.js'
import { HermesError, type AnyVerb } from '../../../0-contracts/src/index.js'
import { distrust } from '../../../2-processes/src/index.js'
import type { LivingExtensions } from '../../../2-extensions/src/index.js'
import { VerbRegistry } from '../../../1-registry/src/index.js'
import { VERBS } from '../verbs/index.js'
import { addConfiguredVerbs } from './add-configured-verbs.js'

/**
 * The verbs available on this machine, for callers that list or describe them without running any (`hermes tools`,
 * `prompt`, `doctor`): built-in ones, and those of the user's config.
 */
export class VerbsHere implements AsyncDisposable {
  /** One line for each verb of the config that is left out. */
  readonly warnings: readonly string[]

  private constructor(
    readonly registry: VerbRegistry, warnings: readonly string[], private readonly end: () => Promise<void>,
  ) {
    this.warnings = warnings
  }

  /**
   * @param root an existing directory: extensions start in it
   * @throws HermesError `INVALID_POLICY`, `POLICY_DENIED` where the root is outside of the user's `roots`
   */
  static async open(root: string, signal: AbortSignal): Promise<VerbsHere> {
    const canonical = realpathSync(root)
    // A run in this root could have written a module of verbs: none is loaded from it while this process lives.
    distrust([canonical])
    const loaded = await loadPolicy({ root: canonical, policy: undefined, wishes: { limits: {} } })
    const registry = new VerbRegistry(VERBS)
    let startedExtensions: LivingExtensions | undefined
    const startExtensions = async (): Promise<LivingExtensions> => {
      const extensions = await import('../../../2-extensions/src/index.js')
      return (startedExtensions ??= new extensions.LivingExtensions({ root: canonical }))
    }
    const warnings = await addConfiguredVerbs(registry, loaded, startExtensions, signal)
    return new VerbsHere(registry, warnings, async () => startedExtensions?.[Symbol.asyncDispose]())
  }

  /** Whether the user's config adds verbs. */
  get hasOwn(): boolean {
    return this.registry.names().length > VERBS.length
  }

  /** All verbs, starting extensions to describe theirs; and the errors of those that cannot be described. */
  async all(): Promise<{ verbs: AnyVerb[]; problems: HermesError[] }> {
    const { verbs, failures } = await this.registry.loadUsable()
    const problems = failures.map((failure) => {
      if (failure instanceof HermesError) return failure
      throw failure
    })
    return { verbs, problems }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end()
  }
}
