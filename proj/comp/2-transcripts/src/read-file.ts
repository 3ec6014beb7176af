import { basename } from 'node:path'
import { HermesError } from '../../0-contracts/src/index.js'
import { bytesOf, isStdin, peek, readWholeText } from './byte-source.js'
import { kindOf, readConversation, readParts, transcriptFormatOf, type RecordKind } from './detect.js'
import { historyOf } from './histories/index.js'
import { readMarkdown } from './markdown.js'
import { invalidTranscript } from './transcript-failure.js'
import type { BadRecord, Transcript, TranscriptFormat } from './transcript-model.js'
import { placeIn } from './recording.js'
import { readResponse } from './response/index.js'
import { withSavedRewrites } from './rewritten/index.js'
import { fileRecords, looksLikeJson, type FileRecord, type JsonSource } from './records.js'
import { readAnswers } from './vendor-messages.js'

export interface ReadOptions {
  /** Default: detected for each record. */
  format?: TranscriptFormat | undefined
  /** Longest record in bytes. Default 64 MiB. */
  maxRecordBytes?: number
}

export type ReadItem = { transcript: Transcript } | { bad: BadRecord }

/** Default for the longest record, in bytes. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024

/**
 * Reads the transcripts of one file one after the other. Unreadable records are reported with their line, and reading
 * continues. Never throws because of the file's content.
 */
export async function* readTranscriptFile(path: string, options: ReadOptions = {}): AsyncGenerator<ReadItem, void> {
  const maxBytes = options.maxRecordBytes ?? MAX_RECORD_BYTES
  try {
    const { first, all } = await peek(bytesOf(path))
    // Empty standard input is no answer: the command that should have written one has failed.
    if (first.length === 0 && isStdin(path)) return
    const { format } = options
    const isText = format === 'markdown' || format === 'aider'
      || ((format === undefined || format === 'cline') && !looksLikeJson(path, first))
    if (format === 'markdown') yield { transcript: await readMarkdown(path, [path], maxBytes, all) }
    else if (isText) yield await readText(path, all, maxBytes, format)
    else yield* readJsonFile({ path, bytes: all, first }, maxBytes, options.format)
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    yield badRecord(path, undefined, error)
  }
}

/** An event stream is a response, a history a conversation; any other text is an answer. */
async function readText(
  path: string, bytes: AsyncIterable<Buffer>, maxBytes: number, named: TranscriptFormat | undefined,
): Promise<ReadItem> {
  const text = await readWholeText(bytes, maxBytes)
  const history = historyOf(text)
  if (history) {
    const { format, conversation } = history
    if (named !== undefined && named !== format) throw invalidTranscript(`The text is a history of ${format}`)
    return { transcript: { file: path, line: undefined, name: nameOf(path), format, ...conversation } }
  }
  if (named !== undefined) throw invalidTranscript(`The text is no history of ${named}`)
  const response = /^\s*[{[]/.test(text) ? undefined : readResponse(text)
  if (!response) return { transcript: await readMarkdown(path, [path], maxBytes, onePiece(text)) }
  const format = transcriptFormatOf(response)
  return { transcript: { file: path, line: undefined, name: nameOf(path), format, ...readAnswers([response]) } }
}

async function* onePiece(text: string): AsyncGenerator<Buffer, void> {
  yield Buffer.from(text)
}

export function badRecord(file: string, line: number | undefined, { code, message, hint = '' }: HermesError): ReadItem {
  return { bad: { file, line, code, message, hint } }
}

async function* readJsonFile(
  source: JsonSource, maxBytes: number, format: TranscriptFormat | undefined,
): AsyncGenerator<ReadItem, void> {
  const { path } = source
  /** Parts so far of the one conversation that the whole file holds. */
  const parts: unknown[] = []
  let kind: Extract<RecordKind, { isWhole: false }>['parts'] | undefined
  let held = 0
  let number = 0
  let readable = 0
  for await (const record of fileRecords(source, maxBytes)) {
    number++
    if (!('value' in record)) {
      yield { bad: { file: path, ...record } }
      continue
    }
    const found = kindIn(record.value, format)
    const isPart = kind !== undefined || (found?.isWhole === false && readable === 0)
    readable++
    if (!isPart) {
      yield await readRecord(path, record, number, format, found)
      continue
    }
    if (found?.isWhole === true) {
      yield misplaced(path, record.line)
      continue
    }
    kind ??= found?.parts
    held += record.bytes
    if (held > maxBytes) {
      yield tooLarge(path, record.line, maxBytes)
      return
    }
    parts.push(record.value)
  }
  if (kind !== undefined) yield readAll(path, parts, kind)
  if (number === 0 && /^\s*$/.test(source.first.toString('latin1'))) {
    yield badRecord(path, undefined, invalidTranscript('The file is empty', 'Record it again, or remove it.'))
  }
}

/** What a record is; with a named format it is a conversation, or a part where the format only allows that. */
export function kindIn(value: unknown, format: TranscriptFormat | undefined): RecordKind | undefined {
  const found = kindOf(value)
  if (format === undefined || format === 'hermes' || Array.isArray(value) || found?.isWhole === false) return found
  return { isWhole: true, format }
}

async function readRecord(
  path: string, { line, value }: Extract<FileRecord, { value: unknown }>, number: number,
  format: TranscriptFormat | undefined, kind: RecordKind | undefined,
): Promise<ReadItem> {
  const known = format ?? (kind?.isWhole === true ? kind.format : undefined)
  if (known === undefined) {
    const message = kind === undefined ? 'The record has no form that is known'
      : 'The record is one turn among whole conversations'
    return { bad: {
      file: path, line, code: 'INVALID_TRANSCRIPT', message,
      hint: 'Name the form with --format, or leave the record out.',
    } }
  }
  try {
    const conversation = await withSavedRewrites({ ...readConversation(value, known), ...placeIn(value) }, value)
    const file = nameOf(path)
    const name = number === 1 ? file : `${file}#${number}`
    return {
      transcript: { file: path, line, name, format: known, record: number - 1, ...conversation },
    }
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    return badRecord(path, line, error)
  }
}

function readAll(path: string, parts: readonly unknown[], kind: Parameters<typeof readParts>[1]): ReadItem {
  try {
    const { format, conversation } = readParts(parts, kind)
    return { transcript: { file: path, line: undefined, name: nameOf(path), format, ...conversation } }
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    return badRecord(path, undefined, error)
  }
}

function nameOf(path: string): string {
  return isStdin(path) ? 'stdin' : basename(path)
}

function misplaced(file: string, line: number): ReadItem {
  return {
    bad: {
      file, line, code: 'INVALID_TRANSCRIPT', message: 'A whole conversation among the turns of one',
      hint: 'Put it into a file of its own.',
    },
  }
}

function tooLarge(file: string, line: number, maxBytes: number): ReadItem {
  return {
    bad: {
      file, line, code: 'FILE_TOO_LARGE', message: `The conversation has more than ${maxBytes} bytes`,
      hint: 'Split it.',
    },
  }
}
