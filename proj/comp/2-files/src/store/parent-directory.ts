import { dirname } from 'node:path'

/**
 * The directory a path lies in (seed 002), by its spelling alone: POSIX and Windows paths on every platform; a
 * trailing slash counts for nothing. The parent of a root is the root.
 */
export function getParentDirectory(path: string): string {
  if (!/^[A-Za-z]:[\\/]/.test(path)) return dirname(path)
  const backslashed = path.replaceAll('/', '\\').replace(/(?<=.{3})\\+$/, '')
  return backslashed.slice(0, Math.max(backslashed.lastIndexOf('\\'), 'C:\\'.length))
}
