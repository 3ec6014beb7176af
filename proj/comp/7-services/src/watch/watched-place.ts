import { lstatSync, readdirSync, realpathSync, statSync, type BigIntStats } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { usageError } from '../../../0-text/src/index.js'
import { HermesError, orNothing, unlessCode } from '../../../0-contracts/src/index.js'

/** Extensions of files in a folder that may be answers. */
const TEXTS = /\.(?:md|markdown|txt|text|sham|nesl)$/i
/** Names that browsers, editors and copying programs use before a file is complete, or for files beside it. */
const UNFINISHED = /^[.#]|[~#]$|\.(?:crdownload|part|partial|download|opdownload|tmp|temp|sw[a-p]|bak|orig)$/i
/** Extension of summaries, which hermes writes beside the answers. */
const SUMMARY_END = '.hermes.md'
/** Extensions that a download in progress adds to the final name. */
const DOWNLOADS = ['.crdownload', '.part', '.partial', '.download', '.opdownload']

/** A file that may contain an answer. */
export interface Candidate {
  path: string
  name: string
  /** Differs whenever the file was written, replaced or recreated. */
  signature: string
  modifiedMs: number
}

/** The watched file or folder. */
export interface WatchedPlace {
  /** The folder to watch. */
  folder: string
  /** Name of the file in it, if only one is watched. */
  file: string | undefined
}

/** @throws HermesError `ENOENT`, `INVALID_OPTION` */
export function watchedPlace(path: string): WatchedPlace {
  const full = resolve(path)
  const stats = statSync(full, { throwIfNoEntry: false })
  if (stats?.isDirectory()) return { folder: realpathSync.native(full), file: undefined }
  if (stats && !stats.isFile()) {
    throw usageError(`${path} is neither a file nor a folder`, 'Name a file, or a folder that answers are put into.')
  }
  if (!orNothing(() => statSync(dirname(full)).isDirectory(), false)) {
    throw new HermesError('ENOENT', `No such folder: ${dirname(full)}`, { hint: 'Create it first: a file may come '
      + 'later, its folder must be there.' })
  }
  const name = basename(full)
  if (name.endsWith(SUMMARY_END)) {
    throw usageError(`${path} has the name of a summary`, 'Watch another file: '
      + `NAME${SUMMARY_END} is what hermes writes beside NAME.`)
  }
  return { folder: realpathSync.native(dirname(full)), file: name }
}

/** Path of an answer's summary. */
export function summaryPath(path: string): string {
  return `${path}${SUMMARY_END}`
}

/** Whether changes of a file with this name may matter. */
export function mayMatter(name: string, { file }: WatchedPlace): boolean {
  if (file !== undefined) return name === file || DOWNLOADS.some((end) => name === `${file}${end}`)
  return DOWNLOADS.some((end) => name.endsWith(end)) || isAnswerName(name)
}

function isAnswerName(name: string): boolean {
  return TEXTS.test(name) && !UNFINISHED.test(name) && !name.endsWith(SUMMARY_END)
}

/**
 * The present candidates, oldest first. `undefined` while the folder does not exist.
 * @throws Node's other errors where it cannot be read
 */
export function candidates(place: WatchedPlace): Candidate[] | undefined {
  const names = unlessCode(['ENOENT', 'ENOTDIR'], () => readdirSync(place.folder), undefined)
  if (!names) return undefined
  const all = new Set(names)
  const isWhole = (name: string): boolean => DOWNLOADS.every((end) => !all.has(`${name}${end}`))
  return names.filter((name) => (place.file === undefined ? isAnswerName(name) : name === place.file) && isWhole(name))
    .flatMap((name) => candidate(join(place.folder, name), name) ?? [])
    .sort((file, other) => file.modifiedMs - other.modifiedMs || (file.name < other.name ? -1 : 1))
}

function candidate(path: string, name: string): Candidate | undefined {
  // A file may vanish, a link lead nowhere, or a folder be listable but not accessible.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined
  const stats = orNothing(() => statSync(path, { bigint: true }), undefined)
  return stats?.isFile() ? { path, name, signature: signatureOf(stats), modifiedMs: Number(stats.mtimeMs) } : undefined
}

/** As `Candidate.signature`; `undefined` where there is no file. */
export function signatureNow(path: string): string | undefined {
  const stats = orNothing(() => statSync(path, { bigint: true }), undefined)
  return stats?.isFile() ? signatureOf(stats) : undefined
}

function signatureOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':')
}

/** Changes when a folder was removed and recreated, after which a listener on the old one gets no events. */
export function folderIdentity(folder: string): string | undefined {
  const stats = orNothing(() => lstatSync(folder, { bigint: true }), undefined)
  return stats?.isDirectory() ? `${stats.dev}:${stats.ino}` : undefined
}
