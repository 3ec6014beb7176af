import type { ActionResult, ApprovalRequest, FileChange, HermesEvent } from '../../0-contracts/src/index.js'
import { Hermes, type ExecutorOptions, type RunResult } from '../../5-executor/src/index.js'
import type { PreparedAnswer } from '../../2-extensions/src/index.js'
import { hookItem, type PageItem } from '../../2-page/src/index.js'
import type { Answer } from './answer.js'
import { startedHook } from './cards.js'
import { leavingOut, placesOf } from './preview.js'
import type { Prompts } from './prompts.js'

export interface LiveRun {
  answer: Answer
  /** Places of the blocks that run. */
  chosen: ReadonlySet<number>
  options: ExecutorOptions
  /** How extensions made the answer of what the model wrote; the user may have edited it since. */
  prepared: PreparedAnswer | undefined
  runId: string
  prompts: Prompts
  signal: AbortSignal
  /** The user has agreed to it beforehand. */
  isAgreed: (at: number, request: ApprovalRequest) => boolean
  onStart: (at: number) => void
  /** The last lines that a command of the block has printed so far. */
  onPrinted: (at: number, lines: readonly string[]) => void
  onEnd: (at: number, result: ActionResult, changes: readonly FileChange[]) => void
  onHooks: (cards: readonly PageItem[]) => void
  onEvent: ((event: HermesEvent) => void) | undefined
}

/** Runs the chosen blocks; what they ask, and nobody agreed to, a page is asked. */
export async function runLive(run: LiveRun): Promise<RunResult> {
  const { answer, chosen, options, prepared, runId, prompts, signal, isAgreed } = run
  const { onStart, onPrinted, onEnd, onHooks, onEvent } = run
  const places = placesOf(answer, chosen)
  const hooks: PageItem[] = []
  let started = -1
  let current: number | undefined
  const keyNow = (): string | undefined => (current === undefined ? undefined : String(current + 1))
  const hermes = new Hermes({
    ...options, signal, leaveOut: leavingOut(chosen), ui: prompts.userInterface(keyNow),
    approve: async (request) => (
      current !== undefined && isAgreed(current, request) ? 'once' : prompts.approve(request, keyNow(), signal)
    ),
    onOutput({ lines }) {
      if (current !== undefined) onPrinted(current, lines)
    },
    onEvent(event) {
      if (event.type === 'block-start') {
        current = places[++started]
        if (current !== undefined) onStart(current)
      } else if (event.type === 'block-end') {
        if (current !== undefined) onEnd(current, event.result, event.changes)
        current = undefined
      } else if (event.type === 'hook-start') onHooks([...hooks, startedHook(event)])
      else if (event.type === 'hook-end') {
        hooks.push(hookItem(event.result))
        onHooks([...hooks])
      }
      onEvent?.(event)
    },
  })
  try {
    const { given } = answer
    return await hermes.execute(given, {
      runId, ...(prepared && { prepared: { ...prepared, ...(typeof given === 'string' && { text: given }) } }),
    })
  } finally {
    await hermes[Symbol.asyncDispose]()
  }
}
