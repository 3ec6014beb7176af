import { sep } from 'node:path'

/** True for `base` itself too. Both canonical. */
export function isInside(base: string, path: string): boolean {
  return path.startsWith(base) && (path.length === base.length || base.endsWith(sep) || path[base.length] === sep)
}
