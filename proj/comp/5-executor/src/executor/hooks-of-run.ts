import {
  settingName, tracked, type ExecutionResult, type FileChange, type HookMoment,
} from '../../../0-contracts/src/index.js'
import type { HookEvent, RunHooks } from '../hooks/index.js'
import type { Begun } from './begun.js'
import { isRefusal } from './failures.js'
import type { RunLimits } from './run-limits.js'
import type { RunParts } from './run-parts.js'

export interface HooksOfRunParts extends Pick<RunParts, 'settings' | 'context' | 'transaction'>, Pick<Begun, 'hooks'> {
  limits: RunLimits
  /** Promises of everything the session is running. */
  running: Set<Promise<unknown>>
}

/** The hooks of one run. Where no config file has any, their code is not loaded. */
export class HooksOfRun {
  #hooks: RunHooks | undefined
  readonly #written: { changes: readonly FileChange[]; writers: { blockId: string; seq: number }[] }[] = []

  constructor(private readonly parts: HooksOfRunParts) {}

  /** Records the files that blocks wrote, for hooks that run after writes. */
  add(changes: readonly FileChange[], writers: { blockId: string; seq: number }[]): void {
    if (this.parts.hooks.length > 0 && changes.length > 0) this.#written.push({ changes, writers })
  }

  async *run(on: HookMoment): AsyncGenerator<HookEvent, void> {
    if (!this.parts.hooks.some((hook) => hook.on === on)) return
    this.#hooks ??= await this.#load()
    for (const { changes, writers } of this.#written.splice(0)) this.#hooks.written.add(changes, writers)
    yield* this.#hooks.run(on)
  }

  /** Which hook made the run fail and why, in one line. */
  get failure(): string | undefined {
    const failed = this.#hooks?.failed
    return failed && (failed.error ?? `hook ${failed.name} failed`)
  }

  /** Adds the hooks' outcomes and warnings to a result. */
  tell(result: ExecutionResult): void {
    const hooks = this.#hooks
    if (!hooks) return
    if (hooks.warnings.length > 0) result.warnings = [...result.warnings ?? [], ...hooks.warnings]
    if (hooks.results.length === 0) return
    result.hooks = hooks.results
    const byBlock = hooks.byBlock()
    for (const each of result.results) {
      const own = byBlock.get(each.seq)
      if (own) each.hooks = own
    }
  }

  async #load(): Promise<RunHooks> {
    const { hooks, settings, context, transaction, limits, running } = this.parts
    const { RunHooks } = await import('../hooks/index.js')
    return new RunHooks({
      hooks, context, refusal: refusalOf(this.parts), masked: (value) => settings.masker.value(value),
      within: (part) => limits.within(part),
      begin: async () => transaction?.beforeBlock('exec'),
      ended(refusal) {
        transaction?.afterBlock('exec', isRefusal(refusal))
        context.elsewhere?.commandEnded()
      },
      track: (promise) => tracked(running, promise),
    })
  }
}

/** Why hooks may not start: whatever forbids every command of a run forbids its hooks as well. */
function refusalOf(
  { settings, context: { policy: { verbs: { exec, network }, sandbox } } }: HooksOfRunParts,
): string | undefined {
  if (exec.value === 'off') return `${exec.by ?? 'the policy'} says exec: off`
  if (network.by !== undefined && network.value === 'off' && sandbox.value === 'none') {
    return `${network.by} says network: off, and there is no sandbox to keep it so`
  }
  if (settings.atomic === true) return `what commands change cannot be put back; ${settingName('filesAlone')} runs them`
  return settings.isNarrowed ? "they would reach what is outside of the client's roots" : undefined
}
