import type { Rewrite } from '../../../0-contracts/src/index.js'
import type { BadRecord, TranscriptFormat } from '../../../2-transcripts/src/index.js'

/**
 * Outcome of one block or call. `unrecorded`: it ran, and there is nothing to compare with; `unmapped`: a call of
 * another harness that no rule covers; `skipped`: it asks nothing of this machine.
 */
export const OUTCOMES = [
  'same', 'changed', 'newly failing', 'newly passing', 'unrecorded', 'unmapped', 'skipped',
] as const
export type ReplayOutcome = (typeof OUTCOMES)[number]

/** Outcomes that deviate from the record. */
export const DRIFTS: ReadonlySet<ReplayOutcome> = new Set(['changed', 'newly failing', 'newly passing'])

export interface BlockReport {
  /** Number of the assistant's turn, from 1. */
  turn: number
  /** Its number among the blocks and calls of the transcript, from 1. */
  seq: number
  /** As recorded: the verb, or the other harness's tool. */
  name: string
  outcome: ReplayOutcome
  /** Why it is unmapped, skipped or not comparable; for a drift, what the recording lacks that may be the cause. */
  reason?: string
  /** For a drift: the recorded result and the present one, normalised. */
  expected?: string
  actual?: string
}

export interface TreeDifference {
  /** Relative to the root. */
  path: string
  kind: 'missing' | 'unexpected' | 'changed'
  /** For text files: the expected text, and the actual one. */
  expected?: string
  actual?: string
}

/** An extension that changed an answer before it ran. */
export interface ReplayedRewrite extends Omit<Rewrite, 'diff'> {
  /** Number of the assistant's turn, from 1. */
  turn: number
  /** Set if `--original` or `--without` ran the answer without this change. */
  undone?: true
  /** Set if the change was made in this replay (`--extension`), not in the record. */
  isNew?: true
}

/** The outcome of one transcript. */
export interface TranscriptReport {
  /** SHA-256 of its content. */
  id: string
  name: string
  file: string
  line: number | undefined
  format: TranscriptFormat
  /** The enabled toolsets, if they were drawn from a distribution. */
  toolsets?: readonly string[]
  counts: Record<ReplayOutcome, number>
  /** Blocks that are not the same: drifts, unmapped and skipped ones. */
  blocks: BlockReport[]
  /** `sha256:` and the hash of the final tree, if one is expected. */
  treeHash?: string
  tree?: TreeDifference[]
  /** Why it did not run, or did not finish. */
  error?: { code: string; message: string; hint?: string }
  /** Changes that extensions made to its answers, in order; absent for none. */
  rewrites?: ReplayedRewrite[]
  /** Set if its assistant wrote text in which no block or call was found: perhaps a format that is not read. */
  empty?: true
  /** Why its workspace could not be removed; or that nothing was found in the transcript. */
  note?: string
  /** Whether a block or the tree drifted, or an error occurred. */
  drifted: boolean
  durationMs: number
}

/** The totals of a replay. */
export interface ReplaySummary {
  transcripts: number
  drifted: number
  errors: number
  counts: Record<ReplayOutcome, number>
  treeDifferences: number
  /** Number of transcripts in which nothing was found; absent for none. */
  empty?: number
  bad: number
  /** How far it was when interrupted, in words; absent if it finished. */
  interrupted?: string
  durationMs: number
}

export interface ReplayReport extends ReplaySummary {
  /** Transcripts with something to report, at most 1,000; `moreReports` counts the rest. */
  reports: TranscriptReport[]
  moreReports?: number
  /** At most 5 of each file, and 1,000 in all; `moreBadRecords` counts the rest. */
  badRecords: BadRecord[]
  moreBadRecords?: number
  /** Transcripts that an interrupt cut short: they do not count. */
  cutShort?: Pick<TranscriptReport, 'name' | 'file' | 'line'>[]
}

export function noCounts(): Record<ReplayOutcome, number> {
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<ReplayOutcome, number>
}
