import { HermesError, type Limits, type VerbContext } from '../../../0-contracts/src/index.js'

/** Enforces a run's limits on blocks and time. */
export class RunLimits {
  readonly #startedAt = performance.now()

  constructor(private readonly limits: Limits) {}

  /**
   * @param seq of the block about to start
   * @throws HermesError `POLICY_DENIED` beyond the limit of blocks, `TIMEOUT` beyond the time limit of the run
   */
  check(seq: number): void {
    const { maxBlocks, runTimeoutMs } = this.limits
    if (seq > maxBlocks) {
      throw new HermesError('POLICY_DENIED', `Not started: a run may have ${maxBlocks} blocks`, {
        hint: 'Send the rest in another answer.',
      })
    }
    if (this.#left() <= 0) {
      throw new HermesError('TIMEOUT', `Not started: the run has taken ${runTimeoutMs / 1000} s, which is its limit`, {
        hint: 'Send the rest in another answer, and do less in one.',
      })
    }
  }

  /** The context, with command time limits reduced to what the run has left. */
  within(context: VerbContext): VerbContext {
    const left = Math.max(1, Math.ceil(this.#left()))
    const { commandTimeoutMs, maxCommandTimeoutMs } = context.limits
    if (left >= maxCommandTimeoutMs) return context
    return {
      ...context,
      limits: {
        ...context.limits, commandTimeoutMs: Math.min(commandTimeoutMs, left),
        maxCommandTimeoutMs: Math.min(maxCommandTimeoutMs, left),
      },
    }
  }

  #left(): number {
    return this.limits.runTimeoutMs - (performance.now() - this.#startedAt)
  }
}
