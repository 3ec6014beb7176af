import { join, sep } from 'node:path'
import type { ApprovedPath, FileStat, VerbContext } from '../../0-contracts/src/index.js'
import { isOddName, shownName } from '../../0-text/src/index.js'
import { formatNodeError, walk } from '../../2-files/src/index.js'
import { type LanguageId, languageOf, unparsedLanguage } from '../../2-syntax/src/index.js'

/** A file that may contain definitions. */
export interface SourceFile {
  path: ApprovedPath
  /** Path in the form the caller would write. */
  shown: string
  language: LanguageId
}

export interface SkippedFile {
  path: string
  reason: string
}

/** A language of present files that cannot be parsed. */
export interface Unparsed {
  /** Name for people: `Kotlin`. */
  language: string
  files: number
}

/** Where to search: a directory, or one file. */
export interface IndexScope {
  start: ApprovedPath
  kind: 'directory' | 'file'
  /** The start as the caller wrote it, used to show paths. */
  shown: string
  /** Name of the verb, for messages. */
  verb: string
}

/** A file as listed by its directory. */
export interface FoundFile {
  path: ApprovedPath
  shown: string
  /** Absent for text in no known language. */
  language?: LanguageId
  /** Bytes. */
  size: number
  mtimeMs: number
  /** 0 where the platform does not provide it. */
  ctimeMs: number
}

/** The requested files of a scope, and the paths of all files there. */
export interface Listing<File extends FoundFile = FoundFile> {
  /** Sorted by path. */
  files: File[]
  /** Paths of all files, requested or not: indexed files not among them are gone. */
  present: string[]
}

export interface FoundSources extends Listing<FoundFile & { language: LanguageId }> {
  skipped: SkippedFile[]
  /** Languages with most files first. */
  unparsed: Unparsed[]
}

const ODD_NAME = 'Its name is not UTF-8: only a search of this path reads it'

/**
 * The source files of a scope with sizes and times. Skips what `.gitignore` excludes, and dependency folders even where
 * it does not; but a start inside one is searched.
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
      // The index only stores UTF-8 names.
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
  /** Path relative to the start; `''` if the scope is a single file. */
  relative: string
  stat?: FileStat
}

/** The files of a scope, without those denied by the gate, ignored by `.gitignore`, or in dependency folders. */
export async function* filesIn(
  { start, kind }: IndexScope, context: VerbContext,
  { stats, onUnreadable }: {
    stats: (name: string) => boolean; onUnreadable: (relative: string, error: Error & { code: string }) => void
  },
): AsyncGenerator<ScopeFile> {
  if (kind === 'file') yield { path: start, relative: '' }
  else yield* walk(start, context, { gitignore: true, dependencies: false, odd: true, stats, onUnreadable })
}

/** Key of a file in the index: its path relative to the root, with `/`, or its absolute path if outside. */
export function keyOf(path: string, root: string): string {
  if (!path.startsWith(root + sep)) return path
  const below = path.slice(root.length + 1)
  return sep === '/' ? below : below.replaceAll(sep, '/')
}
