import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isRecord, orNothing, type ActionResult, type ParseError } from '../../contracts/src/index.js'
import {
  blockOutcomes, replaceSection, RESULTS_SUFFIX, type RecordedResult, type ResultPlace, type Transcript,
} from '../../transcripts/src/index.js'
import { DRIFTS } from './model.js'
import { parsedJson } from './parsed-json.js'
import type { MadeResult } from './replay-transcript.js'

/** A transcript and what came of it. */
export interface Update {
  transcript: Transcript
  results: readonly (readonly MadeResult[])[]
}

export interface Updated {
  /** Files that were rewritten. */
  files: string[]
  /** Results now in their records. */
  results: number
  /** Results whose record has no place for them, or not one that can be rewritten. */
  without: number
}

/** Rewrites the recorded results of files. Each file is replaced at once; what is no result stays as it says. */
export function updateRecords(updates: readonly Update[]): Updated {
  const updated: Updated = { files: [], results: 0, without: 0 }
  const byFile = new Map<string, Update[]>()
  for (const update of updates) byFile.set(update.transcript.file, [...byFile.get(update.transcript.file) ?? [], update])
  for (const [file, ofFile] of byFile) {
    const [first] = ofFile
    if (first?.transcript.format === 'markdown') updateAnswers(first, updated)
    else if (first?.transcript.format === 'hermes') updateRecording(file, first, updated)
    else updateFile(file, ofFile, updated)
  }
  return updated
}

/** Answers have their results beside them. */
function updateAnswers({ transcript, results }: Update, updated: Updated): void {
  for (const [index, file] of (transcript.files ?? []).entries()) {
    const own = results.flat().filter(({ turn, result }) => turn === index + 1 && result?.outcome !== undefined)
    const rewritten = own.filter(isNew)
    if (rewritten.length === 0) continue
    const before = recordedBeside(file)
    const now = own.map((made, at) => (isNew(made) || before.length !== own.length ? made.result?.outcome : before[at]))
    replaceFile(`${file}${RESULTS_SUFFIX}`, `${JSON.stringify({ results: now }, null, 2)}\n`, updated)
    updated.results += rewritten.length
  }
}

function recordedBeside(file: string): unknown[] {
  const value = parsedJson(orNothing(() => readFileSync(`${file}${RESULTS_SUFFIX}`, 'utf8'), ''))
  return isRecord(value) && Array.isArray(value['results']) ? value['results'] as unknown[] : []
}

/** A recording keeps its events; each result gets the fields that it has now. */
function updateRecording(file: string, { results }: Update, updated: Updated): void {
  const events = readFileSync(file, 'utf8').split('\n').map((line) => (line.trim() === '' ? line : JSON.parse(line) as unknown))
  const already = updated.results
  const runs: unknown[][] = []
  for (const event of events) {
    if (isRecord(event) && event['type'] === 'run') runs.push([])
    runs.at(-1)?.push(event)
  }
  for (const [index, run] of runs.entries()) {
    const made = results.flat().filter(({ turn }) => turn === index + 1)
    const ends = run.filter(isRecord).filter(({ type }) => type === 'block-end')
    const errors = run.filter(isRecord).filter(({ type }) => type === 'parse-error').map(({ error }) => error as ParseError)
    const order = blockOutcomes(ends.map(({ result }) => result as ActionResult), errors)
    for (const [at, { startLine, action }] of order.entries()) {
      const one = made[at]
      if (one && !isNew(one)) continue
      const now = one?.result?.outcome
      const end = ends.find(({ result }) => (result as ActionResult).startLine === startLine)
      if (!now || made.length !== order.length || action === '' || !end) {
        updated.without++
        continue
      }
      const { success: _, error: __, code: ___, hint: ____, data: _____, ...rest } = end['result'] as ActionResult
      end['result'] = { ...rest, ...now }
      updated.results++
    }
  }
  if (updated.results === already) return
  const lines = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)))
  replaceFile(file, lines.join('\n'), updated)
}

/** What is still as recorded keeps its words, and so does what cannot be compared. */
function isNew({ outcome, result }: MadeResult): boolean {
  return DRIFTS.has(outcome) || (outcome === 'unrecorded' && result?.place === undefined)
}

function updateFile(file: string, updates: readonly Update[], updated: Updated): void {
  const before = readFileSync(file, 'utf8')
  const document = openDocument(before)
  for (const { transcript, results } of updates) {
    for (const { result } of results.flat().filter(isNew)) {
      const path = result?.place && document?.path(transcript.record, result.place.path)
      if (!result?.place || !path || !document || !setResult(document.root, path, result, result.place)) updated.without++
      else updated.results++
    }
  }
  const text = document?.text()
  if (text !== undefined && text !== before) replaceFile(file, text, updated)
}

interface Document {
  root: unknown
  /** The path from the root of what stands at a path of a record. */
  path(record: number | undefined, path: ResultPlace['path']): ResultPlace['path']
  text(): string
}

/**
 * A file that is one JSON value, or one a line. `undefined` where a line is neither: then nobody can say which is
 * which.
 */
function openDocument(text: string): Document | undefined {
  const whole = parsedJson(text)
  if (whole !== undefined) {
    const indent = /\n(\s+)\S/.exec(text)?.[1]?.length ?? 0
    return {
      root: whole,
      path: (record, path) => (record !== undefined && Array.isArray(whole) ? [record, ...path] : path),
      text: () => JSON.stringify(whole, null, indent) + (text.endsWith('\n') ? '\n' : ''),
    }
  }
  const lines = text.split('\n')
  const records = lines.filter((line) => line.trim() !== '').map(parsedJson)
  return {
    root: records,
    path: (record, path) => (record === undefined ? path : [record, ...path]),
    text() {
      let at = 0
      return lines.map((line) => {
        if (line.trim() === '') return line
        const record = records[at++]
        // A line that could not be read stays.
        return record === undefined || JSON.stringify(parsedJson(line)) === JSON.stringify(record) ? line : JSON.stringify(record)
      }).join('\n')
    },
  }
}

function setResult(
  root: unknown, path: ResultPlace['path'], { text, outcome, isError }: RecordedResult, { section }: ResultPlace,
): boolean {
  const holder = path.slice(0, -1).reduce<unknown>((value, key) => (
    isRecord(value) || Array.isArray(value) ? (value as Record<string, unknown>)[key] : undefined
  ), root)
  const key = path.at(-1)
  if (!(isRecord(holder) || Array.isArray(holder)) || key === undefined) return false
  const fields = holder as Record<string, unknown>
  const before = fields[key]
  // What is as it was keeps its form.
  if ((typeof before === 'string' ? before : JSON.stringify(before)) === text) return true
  if (section !== undefined) {
    if (typeof before !== 'string') return false
    fields[key] = replaceSection(before, section, text)
    return true
  }
  fields[key] = typeof before === 'object' && outcome ? outcome : text
  if (fields['type'] === 'tool_result' && (isError === true || 'is_error' in fields)) fields['is_error'] = isError === true
  return true
}

function replaceFile(file: string, text: string, updated: Updated): void {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, text)
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  updated.files.push(file)
}
