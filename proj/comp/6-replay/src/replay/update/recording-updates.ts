import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { HermesError, isNodeError, isRecord, orNothing } from '../../../../0-contracts/src/index.js'
import {
  MAX_RECORD_BYTES, readMarkdown, readTranscriptFile, recordPlaces, replaceSection, RESULTS_SUFFIX, type RecordedResult,
  type ResultPlace, type Transcript, type TranscriptFormat,
} from '../../../../2-transcripts/src/index.js'
import { JsonText } from '../compare/json-text.js'
import { parsedJson } from '../compare/parsed-json.js'
import type { MadeResult } from '../replay-transcript.js'
import { changedOnDisk, createFile, lookAt, requireSame, spliceFile, type Splice } from './splice-file.js'
import { isNew, type RecordUpdater, type UpdateCounts, type Updated } from './update-model.js'
import { recordingUpdater } from './update-recording.js'
import { addTo } from '../../../../0-text/src/index.js'

const BYTE_ORDER_MARK = '\uFEFF'

/** A transcript and its results. */
export interface Update {
  transcript: Transcript
  results: readonly (readonly MadeResult[])[]
}

export interface UpdateOptions {
  /** The format in which the transcripts were read. */
  format?: TranscriptFormat | undefined
}

/**
 * Rewrites the recorded results in files, each file by a rename; everything else stays byte for byte. A file whose
 * conversations have changed since they were read stays as it is, as does one that cannot be written; the others are
 * still updated.
 */
export async function updateRecords(updates: readonly Update[], { format }: UpdateOptions = {}): Promise<Updated> {
  const updated: Updated = { files: [], results: 0, without: 0, failed: [] }
  const byFile = new Map<string, Update[]>()
  for (const update of updates) addTo(byFile, update.transcript.file, update)
  for (const [file, ofFile] of byFile) {
    try {
      const [first] = ofFile
      if (first?.transcript.format === 'markdown') await updateAnswers(first, updated)
      else await updateFile(file, ofFile, { format, updated })
    } catch (error) {
      updated.failed.push({ file, error: asHermesError(file, error) })
    }
  }
  return updated
}

async function updateAnswers({ transcript, results }: Update, updated: Updated): Promise<void> {
  const { file, files = [], turns } = transcript
  if (!isDeepStrictEqual((await readMarkdown(file, files, MAX_RECORD_BYTES)).turns, turns)) throw changedOnDisk(file)
  for (const [index, answer] of files.entries()) {
    putAnswerResults(answer, results.flat().filter(({ turn }) => turn === index + 1), updated)
  }
}

async function updateFile(
  file: string, updates: readonly Update[],
  { format, updated }: { format: TranscriptFormat | undefined; updated: Updated },
): Promise<void> {
  const before = lookAt(file)
  await requireRead(file, updates, format)
  const counts: UpdateCounts = { put: 0, without: 0 }
  const splices: Splice[] = []
  const updater = updaterOf(updates, counts)
  for await (const place of recordPlaces(file, format, MAX_RECORD_BYTES)) {
    for (const { start, bytes, text } of updater.take(place)) splices.push({ start, end: start + bytes.length, text })
  }
  for (const { start, bytes, text } of updater.end()) splices.push({ start, end: start + bytes.length, text })
  splices.sort((a, b) => a.start - b.start)
  if (splices.length > 0) spliceFile(file, splices, before)
  else requireSame(file, before)
  updated.without += counts.without
  updated.results += counts.put
  if (splices.length > 0) updated.files.push(file)
}

/** Checks that the conversations are still where they were read. @throws HermesError `CHANGED_ON_DISK` */
async function requireRead(
  file: string, updates: readonly Update[], format: TranscriptFormat | undefined,
): Promise<void> {
  const expected = new Map(updates.map(({ transcript }) => [transcript.record, transcript]))
  for await (const item of readTranscriptFile(file, { format })) {
    if (!('transcript' in item)) continue
    const { record, turns } = item.transcript
    const transcript = expected.get(record)
    if (transcript && isDeepStrictEqual(turns, transcript.turns)) expected.delete(record)
  }
  if (expected.size > 0) throw changedOnDisk(file)
}

function updaterOf(updates: readonly Update[], counts: UpdateCounts): RecordUpdater {
  const [first] = updates
  if (first?.transcript.format === 'hermes') return recordingUpdater(first.results.flat(), counts)
  const isWhole = first?.transcript.record !== undefined
  const byRecord = new Map<unknown, MadeResult[]>()
  for (const { transcript, results } of updates) {
    for (const made of results.flat().filter(isNew)) {
      const key = isWhole ? transcript.record : made.result?.place?.path[0]
      addTo(byRecord, key, made)
    }
  }
  return {
    take(place) {
      const key = isWhole ? place.record : place.part
      const made = key === undefined ? undefined : byRecord.get(key)
      if (!made) return []
      byRecord.delete(key)
      const text = putResults(place.bytes.toString('utf8'), made, { depth: isWhole ? 0 : 1, counts })
      return text === undefined ? [] : [{ ...place, text }]
    },
    end() {
      for (const made of byRecord.values()) counts.without += made.length
      return []
    },
  }
}

function asHermesError(file: string, error: unknown): HermesError {
  if (error instanceof HermesError) return error
  if (!isNodeError(error)) throw error
  return new HermesError(error.code, `Cannot rewrite ${file} (${error.code})`, {
    hint: 'The file is as it was.', cause: error,
  })
}

/** Updates the results recorded beside an answer; unchanged ones stay as written. */
function putAnswerResults(answer: string, made: readonly MadeResult[], updated: Updated): void {
  const own = made.filter(({ result }) => result?.outcome !== undefined)
  const changed = own.filter(isNew)
  if (changed.length === 0) return
  const file = `${answer}${RESULTS_SUFFIX}`
  const before = orNothing(() => lookAt(file), undefined)
  if (!before) createFile(file, allOf(own))
  else {
    const text = readFileSync(file, 'utf8')
    const plain = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
    const now = (text === plain ? '' : BYTE_ORDER_MARK) + (inPlace(plain, own) ?? allOf(own))
    spliceFile(file, [{ start: 0, end: Number(before.size), text: now }], before)
  }
  updated.files.push(file)
  updated.results += changed.length
}

function allOf(own: readonly MadeResult[]): string {
  return `${JSON.stringify({ results: own.map(({ result }) => result?.outcome) }, null, 2)}\n`
}

/** `undefined` where their number differs. */
function inPlace(text: string, own: readonly MadeResult[]): string | undefined {
  const value = parsedJson(text)
  const results = isRecord(value) ? value['results'] : undefined
  if (!Array.isArray(results) || results.length !== own.length) return undefined
  const json = new JsonText(text)
  for (const [index, made] of own.entries()) if (isNew(made)) json.replace(['results', index], made.result?.outcome)
  return json.toString()
}

interface PutOptions {
  /** Length of the path prefix that leads to the record. */
  depth: number
  counts: UpdateCounts
}

/** Writes results into the text of a record. @returns `undefined` where nothing changes */
function putResults(
  text: string, made: readonly MadeResult[], { depth, counts }: PutOptions,
): string | undefined {
  const json = new JsonText(text)
  for (const { result } of made) {
    if (result?.place && putOne(json, result, { ...result.place, path: result.place.path.slice(depth) })) counts.put++
    else counts.without++
  }
  const now = json.toString()
  return now === text ? undefined : now
}

function putOne(json: JsonText, { text, outcome, isError }: RecordedResult, { path, section }: ResultPlace): boolean {
  if (path.length === 0 || !json.has(path)) return false
  const before = json.value(path)
  // An unchanged result keeps its form.
  const isSame = (typeof before === 'string' ? before : JSON.stringify(before)) === text
  if (section !== undefined) {
    if (isSame) return true
    if (typeof before !== 'string') return false
    json.replace(path, replaceSection(before, section, text))
    return true
  }
  if (!isSame) json.replace(path, typeof before === 'object' && outcome ? outcome : text)
  const holder = path.slice(0, -1)
  if (json.value([...holder, 'type']) !== 'tool_result') return true
  if (json.has([...holder, 'is_error'])) json.replace([...holder, 'is_error'], isError === true)
  else if (isError === true) json.add(holder, 'is_error', true)
  return true
}
