import { accessSync, constants, lstatSync, mkdtempSync, realpathSync, rmSync, statSync, type Stats } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
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

/** Of a link itself; `undefined` where nothing is, or nothing can be seen. */
export function lstatOf(path: string): Stats | undefined {
  return orNothing(() => lstatSync(path, { throwIfNoEntry: false }), undefined)
}

/** Whether a file is there that may be executed. */
export function isProgramFile(path: string): boolean {
  return orNothing(() => {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  }, false)
}

/** A new empty directory, canonical, that is gone with this process. */
export function goneAtExit(prefix: string): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), prefix)))
  process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  return made
}
