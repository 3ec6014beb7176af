import { homedir } from 'node:os'
import { realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { isNodeError } from '../../contracts/src/index.js'

/** The user's home as the environment names it; `/` where there is none. */
export function homeOf(env: Readonly<Record<string, string | undefined>>): string {
  const home = env['HOME'] ?? homedir()
  return home.startsWith('/') ? home.replace(/(?<=.)\/+$/, '') : '/'
}

/** Canonical, or `undefined` where nothing is. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (isNodeError(error)) return undefined
    throw error
  }
}

/** True for `base` itself too. Both canonical. */
export function isInside(base: string, path: string): boolean {
  return path === base || path.startsWith(base.endsWith(sep) ? base : base + sep)
}
