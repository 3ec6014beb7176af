import type { Rewrite } from '../../../0-contracts/src/index.js'
import type { BadRecord, TranscriptFormat } from '../../../2-transcripts/src/index.js'

/**
 * What a replay found of one block or call. `unrecorded`: it ran, and there is nothing to compare it with; `unmapped`:
 * it is a call of another harness that no rule covers; `skipped`: it asks nothing of this machine.
 */
export const OUTCOMES = [
  'same', 'changed', 'newly failing', 'newly passing', 'unrecorded', 'unmapped', 'skipped',
] as const
export type ReplayOutcome = (typeof OUTCOMES)[number]

/** The outcomes that are a drift from what was recorded. */
export const DRIFTS: ReadonlySet<ReplayOutcome> = new Set(['changed', 'newly failing', 'newly passing'])

export interface BlockReport {
  /** The assistant's turn it stands in, from 1. */
  turn: number
  /** Its place among the blocks and calls of the transcript, from 1. */
  seq: number
  /** As recorded: the verb, or the tool of another harness. */
  name: string
  outcome: ReplayOutcome
  /** Why it is unmapped or skipped, or cannot be compared. */
  reason?: string
  /** Of a drift: what was recorded and what came now, normalised. */
  expected?: string
  actual?: string
}

export interface TreeDifference {
  /** From the root. */
  path: string
  kind: 'missing' | 'unexpected' | 'changed'
  /** Of texts: the one that was expected, and the one that is there. */
  expected?: string
  actual?: string
}

/** An extension that changed an answer before it ran. */
export interface ReplayedRewrite extends Omit<Rewrite, 'diff'> {
  /** The assistant's turn, from 1. */
  turn: number
  /** By `--original` or `--without` the answer ran without it. */
  undone?: true
  /** It did so in this replay (`--extension`), and not when the answer was recorded. */
  isNew?: true
}

/** What came of one transcript. */
export interface TranscriptReport {
  /** SHA-256 of its content. */
  id: string
  name: string
  file: string
  line: number | undefined
  format: TranscriptFormat
  /** Those that were enabled, where they were drawn from a distribution. */
  toolsets?: readonly string[]
  counts: Record<ReplayOutcome, number>
  /** Those that are not the same: drifts, unmapped and skipped ones. */
  blocks: BlockReport[]
  /** `sha256:` and the hash of the final tree, where one is expected. */
  treeHash?: string
  tree?: TreeDifference[]
  /** Why it could not be run, or not to its end. */
  error?: { code: string; message: string; hint?: string }
  /** What extensions made of its answers, in their order; absent where none changed one. */
  rewrites?: ReplayedRewrite[]
  /** Its assistant said something, and neither a block nor a call was found in it: it may be of a form not read. */
  empty?: true
  /** Why its workspace could not be removed; that nothing was found in it. */
  note?: string
  /** A drift of a block or of the tree, or an error. */
  drifted: boolean
  durationMs: number
}

/** What came of all. */
export interface ReplaySummary {
  transcripts: number
  drifted: number
  errors: number
  counts: Record<ReplayOutcome, number>
  treeDifferences: number
  /** Transcripts in which nothing was found; absent for none. */
  empty?: number
  bad: number
  durationMs: number
}

export interface ReplayReport extends ReplaySummary {
  /** Those with something to tell, at most 1,000; `moreReports` says how many were left out. */
  reports: TranscriptReport[]
  moreReports?: number
  /** At most 5 of a file, and 1,000 in all; `moreBadRecords` says how many were left out. */
  badRecords: BadRecord[]
  moreBadRecords?: number
}

export function noCounts(): Record<ReplayOutcome, number> {
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<ReplayOutcome, number>
}
