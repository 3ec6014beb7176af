import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import * as v from 'valibot'
import { HermesError, isNodeError, orNothing, type Rewrite } from '../../../0-contracts/src/index.js'
import { journalKey } from './journal-key.js'
import { isMac, LineChecker, splitMac, type Signature } from './line-macs.js'
import { LOG_LINE, type Operation, type RunBegin, type RunEnd } from './operations.js'
import { PathStates } from './path-states.js'
import { LOG_FILE } from './run-journal.js'
import { damaged } from './saved-content.js'

/** A run as its journal tells it. */
export interface RunRecord {
  directory: string
  begin: RunBegin
  /** In the order done; what failed is left out. */
  operations: Operation[]
  /** What extensions made of its answer, in their order; absent where none changed it. */
  rewrites?: readonly Rewrite[]
  /** Absent while it runs, and for ever when it died. */
  end?: RunEnd
  /** Of all lines; `readOutline` looks at those that it reads. Only what is `signed` is acted upon. */
  signature: Signature
}

/** Ids of the runs that have a journal, newest first. */
export function listRunIds(root: string): string[] {
  try {
    return readdirSync(join(root, '.hermes', 'journal')).sort().reverse()
  } catch (error) {
    return ifMissing([], join(root, '.hermes', 'journal'), error)
  }
}

/**
 * @returns `undefined` for a run that has no journal, or died before its first line was whole
 * @throws HermesError `CHANGED_ON_DISK` for one that is damaged or of another version; with the system's code where it
 *   cannot be read
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

/** The lines of a log without their signatures. @throws as `readRun` */
export function readLog(directory: string): v.InferOutput<typeof LOG_LINE>[] {
  return readLines(directory, new LineChecker(undefined, ''))
}

function removeFailed(operations: Operation[], path: string | undefined): void {
  const last = operations.length - 1
  const at = path === undefined ? last : operations.findLastIndex((one) => one.op === 'set' && one.path === path)
  if (at !== -1) operations.splice(at, 1)
}

/** The last line may be cut off: what it would have said was not done. */
function readLines(directory: string, checker: LineChecker): v.InferOutput<typeof LOG_LINE>[] {
  let text: string
  try {
    text = readFileSync(join(directory, LOG_FILE), 'utf8')
  } catch (error) {
    return ifMissing([], directory, error)
  }
  return wholeLines(text).split('\n').slice(0, -1).map((line) => parseLine(directory, checker.take(line)))
}

function parseLine(directory: string, line: string): v.InferOutput<typeof LOG_LINE> {
  try {
    return v.parse(LOG_LINE, JSON.parse(line))
  } catch (error) {
    if (!(error instanceof SyntaxError) && !v.isValiError(error)) throw error
    throw OTHER_FORMAT.test(line) ? otherVersion(directory) : damaged(join(directory, LOG_FILE), error)
  }
}

/** Up to the last line break; a loss of power may leave zeros from where it was not flushed. */
export function wholeLines(log: string): string {
  const zeros = log.indexOf('\0')
  const text = zeros === -1 ? log : log.slice(0, zeros)
  return text.slice(0, text.lastIndexOf('\n') + 1)
}

/** Bytes of a log that hold its first or its last line, but for the longest. */
const PART_BYTES = 4096
const END_LINE = '{"op":"end"'

/**
 * How a run began and ended, without reading what it did: there may be many, of thousands of lines.
 * @throws as `readRun`
 */
export function readOutline(root: string, runId: string): Omit<RunRecord, 'operations' | 'rewrites'> | undefined {
  const directory = join(root, '.hermes', 'journal', runId)
  const path = join(directory, LOG_FILE)
  const tail = readPart(path, 'end')
  const last = tail.slice(tail.lastIndexOf('\n', tail.length - 2) + 1)
  const [first = ''] = readPart(path, 'start').split('\n', 1)
  // Cut off, or too long for a part of it.
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
  // An end that is as long as the part, or no run of this user's.
  if (begin.op !== 'begin' || begin.runId !== runId || end.op !== 'end' || checker.signature !== 'signed'
    || mac === undefined || before === undefined) return readRun(root, runId)
  const key = journalKey()
  const isSigned = key !== undefined && isMac(key, runId, { last: before, body, mac })
  return { directory, begin, end, signature: isSigned ? 'signed' : 'forged' }
}

/** More than the end of a line with its signature takes. */
const MOST_MAC_BYTES = 100
const LAST_MAC = /"mac":"([0-9a-f]{64})"\}\n$/

/** Signature of the last whole line of a log; `undefined` where that has none. */
export function lastMacIn(directory: string): string | undefined {
  const tail = readPart(join(directory, LOG_FILE), 'end')
  return LAST_MAC.exec(tail.slice(0, tail.lastIndexOf('\n') + 1))?.[1]
}

export function lastMacOf(root: string, runId: string): string | undefined {
  return lastMacIn(join(root, '.hermes', 'journal', runId))
}

/** Whether a signature is that of one of the lines of a run. */
export function hasMac(root: string, runId: string, mac: string): boolean {
  const log = orNothing(() => readFileSync(join(root, '.hermes', 'journal', runId, LOG_FILE), 'latin1'), '')
  return log.includes(`,"mac":"${mac}"}\n`)
}

/** Whether a run has ended, without reading its whole journal; true also where there is none. */
export function hasEnded(root: string, runId: string): boolean {
  const tail = readPart(join(root, '.hermes', 'journal', runId, LOG_FILE), 'end')
  const start = tail.lastIndexOf('\n', tail.length - 2)
  if (tail === '' || (start === -1 && tail.length >= PART_BYTES)) return isEndedOrNone(readRun(root, runId))
  return tail.endsWith('\n') && tail.startsWith(END_LINE, start + 1)
}

function isEndedOrNone(run: RunRecord | undefined): boolean {
  return run === undefined || run.end !== undefined
}

/** Empty where there is no such file. */
export function readPart(path: string, part: 'start' | 'end', most = PART_BYTES): string {
  let fd: number | undefined
  try {
    fd = openSync(path, 'r')
    const size = fstatSync(fd).size
    const bytes = Buffer.alloc(Math.min(size, most))
    const count = readSync(fd, bytes, 0, bytes.length, part === 'start' ? 0 : size - bytes.length)
    return bytes.toString('utf8', 0, count)
  } catch (error) {
    return ifMissing('', dirname(path), error)
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** @throws HermesError with the system's code for what is there and cannot be read; all that is not the system's */
function ifMissing<T>(nothing: T, directory: string, error: unknown): T {
  if (!isNodeError(error)) throw error
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return nothing
  throw new HermesError(error.code, `Cannot read what is kept of earlier runs: ${error.message}`, {
    hint: `Make ${directory} readable for the user who runs hermes. Where it is removed, undo has nothing to go by.`,
    cause: error,
  })
}

/** What each path was before the run and what it is after it. */
export function statesOf({ operations }: Pick<RunRecord, 'operations'>): PathStates {
  const states = new PathStates()
  for (const operation of operations) if (operation.op === 'set' || operation.op === 'move') states.apply(operation)
  return states
}

/** A path as the journal stores it, made absolute again. */
export function resolveStored(root: string, stored: string): string {
  return isAbsolute(stored) ? stored : join(root, stored)
}

const OTHER_FORMAT = /^\{"op":"begin","format":(?![12],)\d+,/

function otherVersion(directory: string): HermesError {
  return new HermesError('CHANGED_ON_DISK', `The journal is of another version of hermes: ${directory}`, {
    hint: `That version can take back what it describes. Remove ${directory} to go on without it.`,
  })
}
