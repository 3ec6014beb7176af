import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { orNothing, parseJson } from '../../../0-contracts/src/index.js'
import { journalKey } from './journal-key.js'
import { LineChecker, type Signature } from './line-macs.js'
import { BEGIN_LINE, type RunBegin } from './operations.js'
import { lastMacOf, listRunIds, readPart } from './read-run.js'
import { LOG_FILE } from './run-journal.js'

/** The first line of a run's log. */
export interface RunHead {
  runId: string
  /** Absent where the first line cannot be read. */
  begin?: RunBegin
  /** Result for the first line only. */
  signature: Signature
}

/** Longest first line that hermes writes, in bytes. */
const MOST_BYTES = 8192

/**
 * The first line of every run with a journal, oldest first: unsigned runs by their stated time, then signed ones by
 * their numbers, which no clock affects. Bad content in a journal does not make this fail.
 *
 * @throws HermesError with the system's code for what may not be read
 */
export function readHeads(root: string): RunHead[] {
  const key = journalKey()
  return listRunIds(root).map((runId) => headOf(root, runId, key)).sort(byAge)
}

export function isOurs({ signature }: Pick<RunHead, 'signature'>): boolean {
  return signature === 'signed'
}

function headOf(root: string, runId: string, key: Uint8Array | undefined): RunHead {
  const line = firstLine(join(root, '.hermes', 'journal', runId, LOG_FILE))
  const checker = new LineChecker(key, runId)
  const begin = line === undefined ? undefined : v.safeParse(BEGIN_LINE, parseJson(checker.take(line)))
  // A later version of hermes may use another first line.
  if (!begin?.success) return { runId, signature: checker.signature }
  return { runId, begin: begin.output, signature: begin.output.runId === runId ? checker.signature : 'forged' }
}

/**
 * The first line of a file; `undefined` for what is no file, or has no line break.
 *
 * @throws HermesError for a file that may not be read
 */
function firstLine(path: string): string | undefined {
  if (orNothing(() => lstatSync(path).isFile(), false) !== true) return undefined
  const text = readPart(path, 'start', MOST_BYTES)
  const end = text.indexOf('\n')
  return end === -1 ? undefined : text.slice(0, end)
}

function byAge(runHead: RunHead, other: RunHead): number {
  return Number(isOurs(runHead)) - Number(isOurs(other))
    || (isOurs(runHead) ? (runHead.begin?.seq ?? 0) - (other.begin?.seq ?? 0) : 0)
    || timeOf(runHead) - timeOf(other) || (runHead.runId < other.runId ? -1 : 1)
}

function timeOf({ begin }: RunHead): number {
  const time = begin ? Date.parse(begin.startedAt) : Number.NaN
  return Number.isNaN(time) ? 0 : time
}

/** Place of a new run in the chain: its number, and the signature of the last line before it. */
export function nextInChain(root: string, heads: readonly RunHead[]): Pick<RunBegin, 'seq' | 'prev'> {
  const last = heads.findLast((head) => isOurs(head) && head.begin !== undefined)
  if (!last?.begin) return { seq: 1 }
  const prev = lastMacOf(root, last.runId)
  return { seq: (last.begin.seq ?? 0) + 1, ...(prev !== undefined && { prev }) }
}
