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

export interface FoundFiles {
  /** In the order of their paths. */
  files: (SourceFile & { size: number; mtimeMs: number; ctimeMs: number })[]
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
export async function findSources(
  { start, kind, shown, verb }: IndexScope, context: VerbContext,
): Promise<FoundFiles> {
  const files: FoundFiles['files'] = []
  const skipped: SkippedFile[] = []
  const others = new Map<string, number>()
  const add = (path: ApprovedPath, name: string, known?: FileStat): void => {
    const language = languageOf(path)
    if (language === undefined) {
      const other = unparsedLanguage(path)
      if (other !== undefined) others.set(other, (others.get(other) ?? 0) + 1)
      return
    }
    const stat = known ?? context.files.stat(path)
    if (stat?.kind !== 'file') return
    if (stat.size <= context.limits.maxFileBytes) {
      const { size, mtimeMs, ctimeMs = 0 } = stat
      files.push({ path, shown: name, language, size, mtimeMs, ctimeMs })
    } else {
      skipped.push({ path: name, reason: `File is larger than ${context.limits.maxFileBytes} bytes: ${name}` })
    }
  }
  if (kind === 'file') add(start, join(shown))
  else {
    const walked = walk(start, context, {
      gitignore: true,
      dependencies: false,
      odd: true,
      stats: (name) => languageOf(name) !== undefined,
      onUnreadable: (relative, error) => {
        const path = join(shown, relative)
        skipped.push({ path, reason: formatNodeError(error, path, verb) })
      },
    })
    for await (const { path, relative, stat } of walked) {
      if (!isOddName(relative)) add(path, join(shown, relative), stat)
      // The index keeps names as UTF-8.
      else if (languageOf(path) !== undefined) {
        skipped.push({ path: shownName(join(shown, relative)), reason: ODD_NAME })
      }
    }
  }
  const unparsed = [...others].map(([language, count]) => ({ language, files: count }))
  unparsed.sort((a, b) => b.files - a.files || (a.language < b.language ? -1 : 1))
  return { files, skipped, unparsed }
}

/** What the index calls a file: its path below the root, with `/`, or the whole path where it is elsewhere. */
export function keyOf(path: string, root: string): string {
  if (!path.startsWith(root + sep)) return path
  const below = path.slice(root.length + 1)
  return sep === '/' ? below : below.replaceAll(sep, '/')
}
