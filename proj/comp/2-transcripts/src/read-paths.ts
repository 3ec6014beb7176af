import { readdirSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { HermesError, isNodeError, isRecord, orNothing } from '../../0-contracts/src/index.js'
import { bytesOf, isStdin, peek } from './byte-source.js'
import { textOf } from './fields.js'
import { historyOf } from './histories/index.js'
import { readMarkdown, RESULTS_SUFFIX } from './markdown.js'
import { badRecord, readTranscriptFile, type ReadItem, type ReadOptions } from './read-file.js'
import { MARKDOWN_EXTENSIONS } from './records.js'
import { invalidTranscript } from './transcript-failure.js'

const RECORD_FILES = new Set(['.jsonl', '.ndjson', '.json', '.traj'])
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const NO_FILES = invalidTranscript(
  'The folder has no transcripts',
  'Transcripts are .jsonl, .json, .traj and .md files: hermes apply --record makes one.',
)
const NOT_TRANSCRIPTS = /^(?:readme\.md|replay\.yaml)$/i

export interface FolderOptions extends ReadOptions {
  /** Directories to skip; absolute paths. */
  except?: readonly string[]
  /** Files already read, by device and inode: these are skipped, and newly read ones are added. */
  seen?: Set<string>
}

/**
 * Reads the transcripts of files and folders. In a folder: record files in order of their names, subfolders in turn,
 * and its Markdown files as the turns of one conversation. Names with a leading dot are skipped.
 */
export async function* readTranscripts(
  paths: readonly string[], options: FolderOptions = {},
): AsyncGenerator<ReadItem, void> {
  for (const path of paths) {
    try {
      if (isStdin(path)) yield* readTranscriptFile(path, options)
      else if (!statSync(path).isDirectory()) yield* readFileOnce(path, options)
      else if ((yield* readFolder(path, options)) === 0) yield badRecord(path, undefined, NO_FILES)
    } catch (error) {
      if (!isNodeError(error)) throw error
      const message = error.code === 'ENOENT' ? 'There is no such file or folder' : `Cannot be read (${error.code})`
      yield badRecord(
        path, undefined,
        new HermesError(error.code, message, { hint: 'Give a transcript, or a folder of transcripts.' }),
      )
    }
  }
}

/** @returns number of files that may hold transcripts, including those already read */
async function* readFolder(folder: string, options: FolderOptions): AsyncGenerator<ReadItem, number> {
  const entries = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules' && !NOT_TRANSCRIPTS.test(name)
      && !name.endsWith(RESULTS_SUFFIX))
    // `2.md` before `10.md`, independent of the locale.
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }) || (a.name < b.name ? -1 : 1))
  const answers: string[] = []
  let files = 0
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (!(options.except ?? []).includes(path)) files += yield* readFolder(path, options)
    } else if (MARKDOWN_EXTENSIONS.has(extname(entry.name).toLowerCase())) {
      files++
      if (await isTextHistory(path)) yield* readFileOnce(path, options)
      else answers.push(path)
    } else if (RECORD_FILES.has(extname(entry.name).toLowerCase())) {
      files++
      yield* readFileOnce(path, options)
    }
  }
  if (answers.length > 0 && isNew(folder, options)) yield* readAnswers(folder, answers)
  return files
}

/** Unreadable files are reported by the reader of answers. */
async function isTextHistory(path: string): Promise<boolean> {
  const bytes = bytesOf(path)
  try {
    const { first } = await peek(bytes)
    return historyOf(first.toString('utf8')) !== undefined
  } catch (error) {
    if (error instanceof HermesError) return false
    throw error
  } finally {
    // The joined stream only closes the file if it has been read from.
    await bytes.return()
  }
}

async function* readFileOnce(path: string, options: FolderOptions): AsyncGenerator<ReadItem, void> {
  if (isNew(path, options)) yield* readTranscriptFile(path, options)
}

/** Whether a file is new, under any name or link. */
function isNew(path: string, { seen }: FolderOptions): boolean {
  const stats = seen && orNothing(() => statSync(path), undefined)
  if (!stats) return true
  const key = `${stats.dev}:${stats.ino}`
  if (seen.has(key)) return false
  seen.add(key)
  return true
}

async function* readAnswers(folder: string, files: readonly string[]): AsyncGenerator<ReadItem, void> {
  try {
    yield { transcript: { ...await readMarkdown(folder, files, MAX_ANSWER_BYTES), name: basename(folder) } }
  } catch (error) {
    const data = error instanceof HermesError ? error.data : undefined
    yield badRecord((isRecord(data) ? textOf(data['file']) : undefined) ?? folder, undefined, error)
  }
}
