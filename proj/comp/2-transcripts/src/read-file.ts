import { basename } from 'node:path'
import { HermesError } from '../../0-contracts/src/index.js'
import { bytesOf, isStdin, peek, readWholeText } from './byte-source.js'
import {
  kindOf, readConversation, readParts, transcriptFormatOf, type PartsKind, type RecordKind,
} from './detect.js'
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
    const { format } = history
    if (named !== undefined && named !== format) throw invalidTranscript(`The text is a history of ${format}`)
    return wholeFile(path, history)
  }
  if (named !== undefined) throw invalidTranscript(`The text is no history of ${named}`)
  const response = /^\s*[{[]/.test(text) ? undefined : readResponse(text)
  if (!response) return { transcript: await readMarkdown(path, [path], maxBytes, onePiece(text)) }
  return wholeFile(path, { format: transcriptFormatOf(response), conversation: readAnswers([response]) })
}

function wholeFile(path: string, { format, conversation }: ReturnType<typeof readParts>): ReadItem {
  return { transcript: { file: path, line: undefined, name: nameOf(path), format, ...conversation } }
}

async function* onePiece(text: string): AsyncGenerator<Buffer, void> {
  yield Buffer.from(text)
}

/** The item for what could not be read. @throws any error that is none of hermes */
export function badRecord(file: string, line: number | undefined, error: unknown): ReadItem {
  if (!(error instanceof HermesError)) throw error
  const { code, message, hint = '' } = error
  return { bad: { file, line, code, message, hint } }
}

async function* readJsonFile(
  source: JsonSource, maxBytes: number, format: TranscriptFormat | undefined,
): AsyncGenerator<ReadItem, void> {
  const { path } = source
  /** Parts so far of the one conversation that the whole file holds. */
  const parts: unknown[] = []
  let kind: PartsKind | undefined
  let held = 0
  let number = 0
  let readable = 0
  for await (const record of fileRecords(source, maxBytes)) {
    number++
    if (!('value' in record)) {
      yield badRecord(path, record.line, record.error)
      continue
    }
    const shape = kindIn(record.value, format)
    const isPart = kind !== undefined || (shape?.isWhole === false && readable === 0)
    readable++
    if (!isPart) {
      yield await readRecord(path, record, number, format, shape)
      continue
    }
    if (shape?.isWhole === true) {
      yield badRecord(path, record.line, MISPLACED)
      continue
    }
    kind ??= shape?.parts
    held += record.raw.length
    if (held > maxBytes) {
      const message = `The conversation has more than ${maxBytes} bytes`
      yield badRecord(path, record.line, new HermesError('FILE_TOO_LARGE', message, { hint: 'Split it.' }))
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
  const kind = kindOf(value)
  if (format === undefined || format === 'hermes' || Array.isArray(value) || kind?.isWhole === false) return kind
  return { isWhole: true, format }
}

async function readRecord(
  path: string, { line, value }: Extract<FileRecord, { value: unknown }>, number: number,
  format: TranscriptFormat | undefined, kind: RecordKind | undefined,
): Promise<ReadItem> {
  const known = format ?? (kind?.isWhole === true ? kind.format : undefined)
  try {
    if (known === undefined) {
      const message = kind === undefined ? 'The record has no form that is known'
        : 'The record is one turn among whole conversations'
      throw invalidTranscript(message, 'Name the form with --format, or leave the record out.')
    }
    const conversation = await withSavedRewrites({ ...readConversation(value, known), ...placeIn(value) }, value)
    const file = nameOf(path)
    const name = number === 1 ? file : `${file}#${number}`
    return { transcript: { file: path, line, name, format: known, record: number - 1, ...conversation } }
  } catch (error) {
    return badRecord(path, line, error)
  }
}

function readAll(path: string, parts: readonly unknown[], kind: PartsKind): ReadItem {
  try {
    return wholeFile(path, readParts(parts, kind))
  } catch (error) {
    return badRecord(path, undefined, error)
  }
}

function nameOf(path: string): string {
  return isStdin(path) ? 'stdin' : basename(path)
}

const MISPLACED = invalidTranscript('A whole conversation among the turns of one', 'Put it into a file of its own.')
