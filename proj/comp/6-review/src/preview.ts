import type { ActionResult, ApprovalRequest, FileChange, HookResult } from '../../0-contracts/src/index.js'
import { Hermes, type ExecutorOptions } from '../../5-executor/src/index.js'
import type { Answer } from './answer.js'

/** What a block would do. */
export interface Effect {
  result: ActionResult
  /** With the texts before and after. */
  changes: readonly FileChange[]
  /** What would be asked before it runs. */
  asks: readonly ApprovalRequest[]
}

export interface Preview {
  /** By the place of the block in the answer; only those that would run. */
  effects: ReadonlyMap<number, Effect>
  /** That would run around the blocks. */
  hooks: readonly HookResult[]
  warnings: readonly string[]
  fatalError: string | undefined
  /** What the model would be told. */
  reply: () => string
}

export const LEFT_OUT = 'left out in the review'

/** Leaves out the blocks whose place is not in `chosen`; to be made for each run anew. */
export function leavingOut(chosen: ReadonlySet<number>): () => string | undefined {
  let at = 0
  return () => (chosen.has(at++) ? undefined : LEFT_OUT)
}

/** The places of the blocks that run, in the order in which they start. */
export function placesOf({ blocks }: Answer, chosen: ReadonlySet<number>): number[] {
  return [...blocks.keys()].filter((at) => chosen.has(at) && blocks[at]?.block !== undefined)
}

/**
 * What the chosen blocks would do, each after those before it: nothing on disk changes and no command is started. What
 * would be asked is taken as granted.
 *
 * @returns `undefined` when `signal` was aborted
 */
export async function previewAnswer(
  answer: Answer, chosen: ReadonlySet<number>, options: ExecutorOptions, signal: AbortSignal,
): Promise<Preview | undefined> {
  const places = placesOf(answer, chosen)
  const effects = new Map<number, Effect>()
  let started = -1
  let asks: ApprovalRequest[] = []
  const hermes = new Hermes({
    ...options, dryRun: true, rehearse: true, checkMs: 0, leaveOut: leavingOut(chosen), signal,
    approve(request) {
      asks.push(request)
      return 'once'
    },
    onEvent(event) {
      if (event.type === 'block-start') {
        started++
        asks = []
      } else if (event.type === 'block-end') {
        const at = places[started]
        if (at !== undefined) effects.set(at, { result: event.result, changes: event.changes, asks })
      }
    },
  })
  try {
    const result = await hermes.execute(answer.given)
    const { hooks = [], warnings = [], fatalError } = result
    return signal.aborted ? undefined : { effects, hooks, warnings, fatalError, reply: () => result.reply() }
  } finally {
    await hermes[Symbol.asyncDispose]()
  }
}

/** The places where two previews of the same blocks differ: where the disk is no longer what was shown. */
export function differences(shown: Preview, now: Preview): number[] {
  const places = new Set([...shown.effects.keys(), ...now.effects.keys()])
  return [...places].filter((at) => signature(shown.effects.get(at)) !== signature(now.effects.get(at)))
}

/** What a user goes by. What a block reads is left out: times and the like differ with every look. */
function signature(effect: Effect | undefined): string {
  if (!effect) return ''
  const { result: { success, code, error, hint }, changes, asks } = effect
  return JSON.stringify([success, code, error, hint, changes, asks])
}
