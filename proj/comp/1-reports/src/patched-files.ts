import { plural } from './quantities.js'
import { shortPath } from './report-style.js'
import { oneLine } from './safe-text.js'

/** What a patch may do to a file, of a file that says nothing else. */
const DONE = new Map<unknown, string>([['create', 'created'], ['modify', 'changed'], ['delete', 'deleted']])
/** More files than these are only counted. */
const MOST_NAMED = 3

/**
 * `src/a.js changed, docs/new.md created, 4 files more`, for results that tell of each file what was done to it.
 *
 * @returns `undefined` for any other result
 */
export function patchedFiles(files: unknown, roots: readonly string[]): string | undefined {
  if (!Array.isArray(files) || files.length === 0) return undefined
  const show = (path: string): string => oneLine(shortPath(path, roots), 80)
  const told = files.slice(0, MOST_NAMED).map((file: unknown) => patchedFile(file, show))
  if (!told.every(one => one !== undefined)) return undefined
  const more = files.length - told.length
  return [...told, ...(more > 0 ? [`${plural(more, 'file')} more`] : [])].join(', ')
}

function patchedFile(file: unknown, show: (path: string) => string): string | undefined {
  if (typeof file !== 'object' || file === null) return undefined
  const { path, from, change, alreadyApplied } = file as Record<string, unknown>
  if (typeof path !== 'string') return undefined
  if (alreadyApplied === true) return `${show(path)} as it was`
  if (typeof from === 'string') {
    return change === 'copy' ? `${show(path)} copied from ${show(from)}` : `${show(from)} → ${show(path)}`
  }
  const done = DONE.get(change)
  return done === undefined ? undefined : `${show(path)} ${done}`
}
