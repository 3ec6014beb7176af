import { isDeepStrictEqual } from 'node:util'
import { HermesError, isNodeError } from '../../../../0-contracts/src/index.js'
import {
  MAX_RECORD_BYTES, readMarkdown, readTranscriptFile, recordPlaces, type Transcript, type TranscriptFormat,
} from '../../../../2-transcripts/src/index.js'
import type { MadeResult } from '../replay-transcript.js'
import { changedOnDisk, lookAt, requireSame, spliceFile, type Splice } from './splice-file.js'
import { putAnswerResults } from './update-answers.js'
import { isNew, type RecordUpdater, type UpdateCounts, type Updated } from './update-model.js'
import { recordingUpdater } from './update-recording.js'
import { putResults } from './update-record.js'
import { addTo } from '../../../../0-text/src/index.js'

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
