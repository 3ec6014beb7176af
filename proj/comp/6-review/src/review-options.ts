import { HermesError, type ExecutionResult, type HermesEvent } from '../../0-contracts/src/index.js'
import type { PreparedAnswer } from '../../2-extensions/src/index.js'
import type { ExecutorOptions } from '../../5-executor/src/index.js'
import type { UndoOutcome } from '../../3-transaction/src/index.js'

export interface ReviewOptions {
  /** An answer, or a saved response of a model's interface. */
  text: string
  /** How extensions made `text` of what the model wrote. */
  prepared?: PreparedAnswer
  /** What the page calls it. */
  title: string
  /** How runs are made: the user's flags. Nothing of a page gets into it. */
  run: ExecutorOptions & { root: string }
  /** How the answer is read, where files say more than `run`. */
  reading?: Pick<ExecutorOptions, 'editFormats'>
  /** How, for people; a line each. */
  settings?: readonly string[]
  /** Hears of the run as it goes on. */
  onEvent?: (event: HermesEvent) => void
  /** Ends the review, and the run that is at work. */
  signal: AbortSignal
}

/** How a review ended. `edited`: ids of the blocks that ran otherwise than the answer has them. */
export interface ReviewEnd {
  /** Nothing ran; or the run was broken off because nobody was there any more. */
  cancelled: boolean
  result?: ExecutionResult
  edited: string[]
  /** Of these: with the fix that hermes offered, as it was. */
  mended?: string[]
  undo?: UndoOutcome
}

/** What a page asked for is not possible as things are. */
export class NotNow extends HermesError {
  constructor(message: string) {
    super('INVALID_PARAMETER', message, { hint: 'Look at what the page shows now.' })
  }
}
