import { basename, dirname } from 'node:path'

/**
 * How the author of `written` would write `canonical`, which is the path `approved` itself or a directory above it:
 * the same start of the path as written, or the canonical form where the two do not run in parallel (`..`, links).
 */
export function writtenForm(written: string, approved: string, canonical: string): string {
  if (/(^|[\\/])\.\.([\\/]|$)/.test(written)) return canonical
  let shown = written.length > 1 ? written.replace(/\/+$/, '') : written
  let path = approved
  while (path !== canonical) {
    const parent = dirname(path)
    if (parent === path || basename(shown) !== basename(path)) return canonical
    shown = dirname(shown)
    path = parent
  }
  return shown
}
