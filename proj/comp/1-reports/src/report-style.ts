import type { BlockColumns } from './block-columns.js'
import type { FencesFound } from './nothing-found.js'

/** How reports for people look. */
export interface ReportStyle {
  /** Default false. */
  colour?: boolean
  /** Absolute directories that stand for the root: paths below them are shown relative. */
  roots?: readonly string[]
  /** Nothing was changed: say what would be. */
  dryRun?: boolean
  /** The run was stopped before its end. */
  interrupted?: boolean
  /** Of lists of blocks; default: wide enough for ids of three letters and most verbs. */
  columns?: BlockColumns
  /** Of the text, for the message where nothing was found. */
  fences?: FencesFound | undefined
}

/** A path as it is shown: below the longest root relative, else as it is. */
export function shortPath(path: string, roots: readonly string[] = []): string {
  const root = roots.map(candidate => candidate.replace(/[\\/]+$/, '')).filter(place => isBelow(place, path))
    .sort((a, b) => b.length - a.length)[0]
  if (root === undefined) return path
  return path.slice(root.length).replace(/^[\\/]+/, '') || '.'
}

function isBelow(root: string, path: string): boolean {
  return path.startsWith(root) && ['/', '\\', undefined].includes(path[root.length])
}
