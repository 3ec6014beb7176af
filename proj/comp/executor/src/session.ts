import {
  HermesError, type PathGate, type SessionState, type VerbContext,
} from '../../contracts/src/index.js'
import { DiskFiles, OverlayFiles } from '../../files/src/index.js'
import { createPathGate } from '../../policy/src/index.js'
import { VerbRegistry } from '../../registry/src/index.js'
import { createRunId } from '../../transaction/src/index.js'
import { VERBS } from '../../verbs/src/index.js'
import { Approvals } from './approvals.js'
import { readSettings, type ExecutorOptions, type Settings } from './settings.js'

/** What `Hermes` and `VerbExecutor` keep between their calls, and what they hand to the verbs of one. */
export class Session {
  readonly registry: VerbRegistry
  readonly settings: Settings
  /** What runs at the moment. */
  readonly running = new Set<Promise<unknown>>()
  readonly #options: ExecutorOptions
  readonly #state: SessionState
  readonly #gate: PathGate
  readonly #approvals: Approvals
  /** Ends what still runs when the session is disposed of. */
  readonly #disposed = new AbortController()

  /** @throws HermesError `INVALID_OPTION` */
  constructor(options: ExecutorOptions) {
    this.#options = options
    this.settings = readSettings(options)
    this.registry = options.registry ?? new VerbRegistry(VERBS)
    const gate = this.#makeGate()
    this.#gate = gate
    this.settings.rules.root = gate.root
    this.#state = { root: gate.root, context: new Map() }
    this.#approvals = new Approvals(options.approve)
  }

  /** What the verbs of one run may use; `problem` is why none of them can run. */
  begin(): { context: VerbContext; problem: HermesError | undefined } {
    const overlay = this.settings.dryRun ? new OverlayFiles() : undefined
    const fresh = this.#freshGate(overlay)
    const problem = fresh instanceof HermesError ? fresh : undefined
    const { signal } = this.#options
    const context: VerbContext = {
      gate: fresh instanceof HermesError ? this.#gate : fresh,
      files: overlay ?? new DiskFiles(),
      session: this.#state,
      limits: this.settings.limits,
      runId: createRunId(),
      dryRun: this.settings.dryRun,
      ui: this.#options.ui,
      approve: (request) => this.#approvals.request(request),
      signal: signal ? AbortSignal.any([signal, this.#disposed.signal]) : this.#disposed.signal,
    }
    return { context, problem }
  }

  /** Kills what still runs, and waits until it is gone. */
  async dispose(): Promise<void> {
    this.#disposed.abort()
    await Promise.allSettled(this.running)
  }

  #makeGate(overlay?: OverlayFiles) {
    const { root, allow, rules } = this.settings
    return createPathGate({ root, allow, aliases: rules.rootAliases, ...(overlay && { probe: overlay.probe }) })
  }

  /** Made anew for each run: a command of an earlier one may have removed what the session works in. */
  #freshGate(overlay: OverlayFiles | undefined): PathGate | HermesError {
    try {
      return this.#makeGate(overlay)
    } catch (error) {
      if (error instanceof HermesError) return error
      throw error
    }
  }
}
