import { basename } from 'node:path'
import { getParentDirectory } from '../store/index.js'

/**
 * How the author of `written` would write `canonical`, which is the path `approved` itself or a directory above it:
 * the same start of the path as written, or the canonical form where the two do not run in parallel (`..`, links).
 */
export function writtenForm(written: string, approved: string, canonical: string): string {
  if (/(^|[\\/])\.\.([\\/]|$)/.test(written)) return canonical
  let end = written.length
  while (end > 1 && written[end - 1] === '/') end--
  let shown = written.slice(0, end)
  let path = approved
  while (path !== canonical) {
    const parent = getParentDirectory(path)
    if (parent === path || basename(shown) !== basename(path)) return canonical
    shown = getParentDirectory(shown)
    path = parent
  }
  return shown
}
