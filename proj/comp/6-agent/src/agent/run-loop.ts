import { HermesError } from '../../../0-contracts/src/index.js'
import { Retries } from './model/ask-model.js'
import { blocksTurn } from './blocks-turn.js'
import { fitContext } from './model/context-window.js'
import type { EndReason } from './events.js'
import type { LoopParts, TurnOutcome } from './loop-parts.js'
import { ToolsRefused } from './model/model-failure.js'
import { STEER_HEAD } from './results-head.js'
import { nativeTurn } from './native-turn.js'

/** Default of `maxTurns`. */
const MAX_TURNS = 20
/** How often in a row a text that was cut off is continued. */
const MOST_CUTS = 3
const CUT = 'Your answer was cut off at its greatest length. Go on exactly where it ended, without repeating anything.'
const FILTERED = 'A filter of the server cut the answer off'
const SILENT = 'The model ended its answer without a word'

/**
 * The agent loop: asks the model, runs its calls and returns the results, until an answer has text only.
 *
 * @throws HermesError `MODEL_FAILED`
 */
export async function runLoop(begun: LoopParts): Promise<{ reason: EndReason; text: string }> {
  const { options: { maxTurns = MAX_TURNS, goOn }, emit, signal, conversation, budget } = begun
  budget.mostTurns = maxTurns
  let parts = begun
  let retries = new Retries(parts)
  const takeTurn = async (): Promise<TurnOutcome> => {
    if (parts.style === 'blocks') return blocksTurn(parts, retries)
    try {
      return await nativeTurn(parts, retries)
    } catch (error) {
      if (!(error instanceof ToolsRefused)) throw error
      const text = `The server refuses tools (${error.message}): asking for blocks in the text instead`
      emit({ type: 'notice', text })
      parts = await parts.useBlocks()
      retries = new Retries(parts)
      return blocksTurn(parts, retries)
    }
  }
  /** Text so far, of one that continues over several answers. */
  let before = ''
  let cuts = 0
  let last = ''
  try {
    for (let turn = 1; budget.usedTurns < budget.mostTurns; turn++) {
      budget.ownTurns = turn
      emit({ type: 'turn_start', turn })
      await fitContext(parts)
      if (signal.aborted) break
      const { text, hasCalls, isCut, finish } = await takeTurn()
      last = text
      if (signal.aborted) break
      if (parts.repeats.isLoop) return { reason: 'loop', text: last }
      if (hasCalls) {
        before = ''
        cuts = 0
      } else if (!isCut) {
        if (finish === 'content_filter') emit({ type: 'notice', text: FILTERED })
        else if (before + text === '') emit({ type: 'notice', text: SILENT })
        return { reason: 'answer', text: before + text }
      } else {
        before += text
        if (++cuts > MOST_CUTS) return { reason: 'length', text: before }
        conversation.add({ type: 'message', message: { role: 'user', content: CUT } })
      }
      const isLast = budget.usedTurns >= budget.mostTurns
      if (isLast && goOn && await goOn(budget.usedTurns, signal)) budget.mostTurns += maxTurns
      // After the last turn the model would not answer it.
      if (hasCalls && budget.usedTurns < budget.mostTurns) steer(begun)
    }
  } catch (error) {
    if (!signal.aborted) throw error instanceof HermesError ? error : unexpected(error)
  }
  if (!signal.aborted) return { reason: 'max_turns', text: last }
  const stopped = conversation.messages.at(-1)
  const isHeard = stopped?.role === 'assistant' && stopped.interrupted === true
  return { reason: 'cancelled', text: isHeard ? stopped.content ?? '' : last }
}

function steer({ steer: ask, conversation, emit }: LoopParts): void {
  const text = ask?.()
  if (text === undefined) return
  conversation.add({ type: 'message', message: { role: 'user', content: `${STEER_HEAD}\n${text}` } })
  emit({ type: 'steer', text })
}

function unexpected(error: unknown): HermesError {
  const message = error instanceof Error ? error.message : 'something that is no error was thrown'
  return new HermesError('INTERNAL', `The agent failed: ${message}`, {
    hint: 'This is a defect of hermes.', cause: error,
  })
}
