import { homedir } from 'node:os'
import { realpathSync } from 'node:fs'
import { orNothing } from '../../0-contracts/src/index.js'

/** The user's home as the environment names it; `/` where there is none. */
export function homeOf(env: Readonly<Record<string, string | undefined>>): string {
  const home = env['HOME'] ?? homedir()
  return home.startsWith('/') ? home.replace(/(?<=.)\/+$/, '') : '/'
}

/** Canonical, or `undefined` where nothing is. */
export function realPath(path: string): string | undefined {
  return orNothing(() => realpathSync.native(path), undefined)
}
