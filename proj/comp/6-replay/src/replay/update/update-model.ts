import type { HermesError } from '../../../../0-contracts/src/index.js'
import type { RecordPlace } from '../../../../2-transcripts/src/index.js'
import { DRIFTS } from '../replay-model.js'
import type { MadeResult } from '../replay-transcript.js'

export interface Updated {
  /** Files that were rewritten. */
  files: string[]
  /** Results now in their records. */
  results: number
  /** Results whose record has no place for them, or not one that can be rewritten. */
  without: number
  /** Files that are as they were, and why. */
  failed: { file: string; error: HermesError }[]
}

/** Results of one file. */
export interface UpdateCounts {
  put: number
  without: number
}

/** A record, and what it is going to be. */
export type Rewritten = Pick<RecordPlace, 'start' | 'bytes'> & { text: string }

/** Is given the records of a file in their order, and gives those that change. */
export interface RecordUpdater {
  take(place: RecordPlace): Rewritten[]
  /** When there is no more. */
  end(): Rewritten[]
}

/** What is still as recorded keeps its words, and so does what cannot be compared. */
export function isNew({ outcome, result }: MadeResult): boolean {
  return DRIFTS.has(outcome) || (outcome === 'unrecorded' && result?.place === undefined)
}
