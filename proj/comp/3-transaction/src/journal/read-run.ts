import { fstatSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import * as v from 'valibot'
import { caught, HermesError, isNodeError, orNothing, type Rewrite } from '../../../0-contracts/src/index.js'
import { bytesAt, closing } from '../../../2-files/src/index.js'
import { isMalformed } from '../malformed.js'
import { journalKey } from './journal-key.js'
import { isMac, LineChecker, splitMac, type Signature } from './line-macs.js'
import { LOG_LINE, type Operation, type RunBegin, type RunEnd } from './operations.js'
import { PathStates } from './path-states.js'
import { LOG_FILE } from './run-journal.js'
import { damaged } from './saved-content.js'

/** A run as read from its journal. */
export interface RunRecord {
  directory: string
  begin: RunBegin
  /** In the order done, without failed ones. */
  operations: Operation[]
  /** How extensions changed its answer, in order; absent where none did. */
  rewrites?: readonly Rewrite[]
  /** Absent while it runs, and for ever if it died. */
  end?: RunEnd
  /** Result over all lines; for `readOutline`, over the lines that it reads. Only `signed` runs are acted upon. */
  signature: Signature
}

/** Ids of the runs with a journal, newest first. */
export function listRunIds(root: string): string[] {
  const directory = join(root, '.hermes', 'journal')
  return readKept(directory, () => readdirSync(directory).sort().reverse(), [])
}

/**
 * @returns `undefined` for a run without journal, or that died while writing its first line
 * @throws HermesError `CHANGED_ON_DISK` for a journal that is damaged or of another version; with the system's code
 *   where it cannot be read
 */
export function readRun(root: string, runId: string): RunRecord | undefined {
  const directory = join(root, '.hermes', 'journal', runId)
  let begin: RunBegin | undefined
  let end: RunEnd | undefined
  let rewrites: RunRecord['rewrites']
  const operations: Operation[] = []
  const checker = new LineChecker(journalKey(), runId)
  for (const line of readLines(directory, checker)) {
    if (line.op === 'begin') begin = line
    else if (line.op === 'end') end = line
    else if (line.op === 'rewrites') rewrites = line.by
    else if (line.op === 'failed') removeFailed(operations, line.path)
    else operations.push(line)
  }
  if (!begin) return undefined
  const signature = begin.runId === runId ? checker.signature : 'forged'
  return { directory, begin, operations, ...(rewrites && { rewrites }), ...(end && { end }), signature }
}

/**
 * The lines of a log without their signatures, which are not checked.
 *
 * @throws as `readRun`
 */
export function readLog(directory: string): v.InferOutput<typeof LOG_LINE>[] {
  return readLines(directory, new LineChecker(undefined, ''))
}

function removeFailed(operations: Operation[], path: string | undefined): void {
  const last = operations.length - 1
  const at = path === undefined ? last : operations.findLastIndex((set) => set.op === 'set' && set.path === path)
  if (at !== -1) operations.splice(at, 1)
}

/** A last line that is cut off is dropped: its operation was not begun. */
function readLines(directory: string, checker: LineChecker): v.InferOutput<typeof LOG_LINE>[] {
  const text = readKept(directory, () => readFileSync(join(directory, LOG_FILE), 'utf8'), '')
  return wholeLines(text).split('\n').slice(0, -1).map((line) => parseLine(directory, checker.take(line)))
}

function parseLine(directory: string, line: string): v.InferOutput<typeof LOG_LINE> {
  return caught(isMalformed, () => v.parse(LOG_LINE, JSON.parse(line)), (error) => {
    throw OTHER_FORMAT.test(line) ? otherVersion(directory) : damaged(join(directory, LOG_FILE), error)
  })
}

/** The log up to its last line break; after a loss of power, zeros may follow where it was not flushed. */
export function wholeLines(log: string): string {
  const zeros = log.indexOf('\0')
  const text = zeros === -1 ? log : log.slice(0, zeros)
  return text.slice(0, text.lastIndexOf('\n') + 1)
}

/** Bytes that hold the first or last line of a log, except for very long lines. */
const PART_BYTES = 4096
const END_LINE = '{"op":"end"'

/**
 * The first and last line of a run, without its operations: there may be many runs of thousands of lines.
 *
 * @throws as `readRun`
 */
export function readOutline(root: string, runId: string): Omit<RunRecord, 'operations' | 'rewrites'> | undefined {
  const directory = join(root, '.hermes', 'journal', runId)
  const path = join(directory, LOG_FILE)
  const tail = readPart(path, 'end')
  const last = tail.slice(tail.lastIndexOf('\n', tail.length - 2) + 1)
  const [first = ''] = readPart(path, 'start').split('\n', 1)
  // A line is cut off, or longer than the part that was read.
  if (!tail.endsWith('\n') || !last.startsWith(END_LINE) || !first.endsWith('}')) return readRun(root, runId)
  const checker = new LineChecker(journalKey(), runId)
  const begin = parseLine(directory, checker.take(first))
  const { body, mac } = splitMac(last.slice(0, -1))
  const end = parseLine(directory, body)
  const before = LAST_MAC.exec(tail.slice(0, -last.length))?.[1]
  const isBeforeRead = tail.length > last.length + MOST_MAC_BYTES
  if (begin.op === 'begin' && end.op === 'end' && checker.signature === 'signed'
    && before === undefined && isBeforeRead) {
    return { directory, begin, end, signature: 'forged' }
  }
  // The last line is as long as the part, or the run is not this user's.
  if (begin.op !== 'begin' || begin.runId !== runId || end.op !== 'end' || checker.signature !== 'signed'
    || mac === undefined || before === undefined) return readRun(root, runId)
  const key = journalKey()
  const isSigned = key !== undefined && isMac(key, runId, { last: before, body, mac })
  return { directory, begin, end, signature: isSigned ? 'signed' : 'forged' }
}

/** Most bytes of the end of a line with its signature. */
const MOST_MAC_BYTES = 100
const LAST_MAC = /"mac":"([0-9a-f]{64})"\}\n$/

/** Signature of the last complete line of a log; `undefined` where it has none. */
export function lastMacIn(directory: string): string | undefined {
  const tail = readPart(join(directory, LOG_FILE), 'end')
  return LAST_MAC.exec(tail.slice(0, tail.lastIndexOf('\n') + 1))?.[1]
}

export function lastMacOf(root: string, runId: string): string | undefined {
  return lastMacIn(join(root, '.hermes', 'journal', runId))
}

/** Whether one of the lines of a run has this signature. */
export function hasMac(root: string, runId: string, mac: string): boolean {
  const log = orNothing(() => readFileSync(join(root, '.hermes', 'journal', runId, LOG_FILE), 'latin1'), '')
  return log.includes(`,"mac":"${mac}"}\n`)
}

/** Whether a run has ended (read from the end of its log); true also where there is none. */
export function hasEnded(root: string, runId: string): boolean {
  const tail = readPart(join(root, '.hermes', 'journal', runId, LOG_FILE), 'end')
  const start = tail.lastIndexOf('\n', tail.length - 2)
  if (tail === '' || (start === -1 && tail.length >= PART_BYTES)) return isEndedOrNone(readRun(root, runId))
  return tail.endsWith('\n') && tail.startsWith(END_LINE, start + 1)
}

function isEndedOrNone(run: RunRecord | undefined): boolean {
  return run === undefined || run.end !== undefined
}

/** Reads the beginning or end of a file; empty where there is no file. */
export function readPart(path: string, part: 'start' | 'end', most = PART_BYTES): string {
  return readKept(dirname(path), () => closing(openSync(path, 'r'), (fd) => {
    const size = fstatSync(fd).size
    const length = Math.min(size, most)
    return bytesAt(fd, part === 'start' ? 0 : size - length, length).toString()
  }), '')
}

/**
 * What `read` finds; `nothing` where there is no such file.
 *
 * @throws HermesError with the system's code for what cannot be read; any other error
 */
function readKept<T>(directory: string, read: () => T, nothing: T): T {
  return caught(isNodeError, read, (error) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return nothing
    throw new HermesError(error.code, `Cannot read what is kept of earlier runs: ${error.message}`, {
      hint: `Make ${directory} readable for the user who runs hermes. Where it is removed, undo has nothing to go by.`,
      cause: error,
    })
  })
}

/** The states of each path before and after the run. */
export function statesOf({ operations }: Pick<RunRecord, 'operations'>): PathStates {
  const states = new PathStates()
  for (const operation of operations) if (operation.op === 'set' || operation.op === 'move') states.apply(operation)
  return states
}

/** The absolute path of a path as stored in the journal. */
export function resolveStored(root: string, stored: string): string {
  return isAbsolute(stored) ? stored : join(root, stored)
}

const OTHER_FORMAT = /^\{"op":"begin","format":(?![12],)\d+,/

function otherVersion(directory: string): HermesError {
  return new HermesError('CHANGED_ON_DISK', `The journal is of another version of hermes: ${directory}`, {
    hint: `That version can take back what it describes. Remove ${directory} to go on without it.`,
  })
}
