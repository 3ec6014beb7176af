import { join, sep } from 'node:path'
import type { ApprovedPath, FileStat, VerbContext } from '../../0-contracts/src/index.js'
import { isOddName, shownName } from '../../0-text/src/index.js'
import { formatNodeError, walk } from '../../2-files/src/index.js'
import { type LanguageId, languageOf, unparsedLanguage } from '../../2-syntax/src/index.js'

/** A file that may hold definitions. */
export interface SourceFile {
  path: ApprovedPath
  /** As the caller would write it. */
  shown: string
  language: LanguageId
}

export interface SkippedFile {
  path: string
  reason: string
}

/** A language that is there and cannot be parsed. */
export interface Unparsed {
  /** As people call it: `Kotlin`. */
  language: string
  files: number
}

/** Where to look: a directory, or one file. */
export interface IndexScope {
  start: ApprovedPath
  kind: 'directory' | 'file'
  /** The start as the caller wrote it: paths are shown with it. */
  shown: string
  /** Of the verb, for messages. */
  verb: string
}

/** A file as the listing of its directory had it. */
export interface FoundFile {
  path: ApprovedPath
  shown: string
  /** Absent for text in none that is known. */
  language?: LanguageId
  /** Bytes. */
  size: number
  mtimeMs: number
  /** 0 where the platform has none. */
  ctimeMs: number
}

/** The files of a scope that are asked for, and the paths of all that are there. */
export interface Listing<File extends FoundFile = FoundFile> {
  /** In the order of their paths. */
  files: File[]
  /** Of all files, those too that are not asked for: what is not among them is gone. */
  present: string[]
}

export interface FoundSources extends Listing<FoundFile & { language: LanguageId }> {
  skipped: SkippedFile[]
  /** Most files first. */
  unparsed: Unparsed[]
}

const ODD_NAME = 'Its name is not UTF-8: only a search of this path reads it'

/**
 * The source files of a scope with their sizes and times. What `.gitignore` excludes is passed over, and folders of
 * dependencies, also where no `.gitignore` says so; a start that is one itself is walked.
 *
 * @throws HermesError `CANCELLED`
 */
export async function findSources(scope: IndexScope, context: VerbContext): Promise<FoundSources> {
  const { shown, verb } = scope
  const [files, present, skipped]: [FoundSources['files'], string[], SkippedFile[]] = [[], [], []]
  const others = new Map<string, number>()
  const walked = filesIn(scope, context, {
    stats: (name) => languageOf(name) !== undefined,
    onUnreadable: (relative, error) => {
      const path = join(shown, relative)
      skipped.push({ path, reason: formatNodeError(error, path, verb) })
    },
  })
  for await (const { path, relative, stat: known } of walked) {
    const name = join(shown, relative)
    const language = languageOf(path)
    if (isOddName(relative)) {
      // The index keeps names as UTF-8.
      if (language !== undefined) skipped.push({ path: shownName(name), reason: ODD_NAME })
      continue
    }
    present.push(path)
    if (language === undefined) {
      const other = unparsedLanguage(path)
      if (other !== undefined) others.set(other, (others.get(other) ?? 0) + 1)
      continue
    }
    const stat = known ?? context.files.stat(path)
    if (stat?.kind !== 'file') continue
    const most = context.limits.maxFileBytes
    if (stat.size <= most) files.push({ ...foundFile(path, name, stat), language })
    else skipped.push({ path: name, reason: `File is larger than ${most} bytes: ${name}` })
  }
  const unparsed = [...others].map(([language, count]) => ({ language, files: count }))
  unparsed.sort((a, b) => b.files - a.files || (a.language < b.language ? -1 : 1))
  return { files, present, skipped, unparsed }
}

export function foundFile(path: ApprovedPath, shown: string, { size, mtimeMs, ctimeMs = 0 }: FileStat): FoundFile {
  return { path, shown, size, mtimeMs, ctimeMs }
}

interface ScopeFile {
  path: ApprovedPath
  /** Below the start; `''` for a scope that is a file. */
  relative: string
  stat?: FileStat
}

/** The files of a scope, whoever asks: that of the gate, of `.gitignore` and of dependency folders is left out. */
export async function* filesIn(
  { start, kind }: IndexScope, context: VerbContext,
  { stats, onUnreadable }: {
    stats: (name: string) => boolean; onUnreadable: (relative: string, error: Error & { code: string }) => void
  },
): AsyncGenerator<ScopeFile> {
  if (kind === 'file') yield { path: start, relative: '' }
  else yield* walk(start, context, { gitignore: true, dependencies: false, odd: true, stats, onUnreadable })
}

/** What the index calls a file: its path below the root, with `/`, or the whole path where it is elsewhere. */
export function keyOf(path: string, root: string): string {
  if (!path.startsWith(root + sep)) return path
  const below = path.slice(root.length + 1)
  return sep === '/' ? below : below.replaceAll(sep, '/')
}
