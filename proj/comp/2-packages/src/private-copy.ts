import { chmodSync, lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { HermesError, isNodeError, orNothing } from '../../0-contracts/src/index.js'
import { hermesHome, makeOwnDirectory } from '../../2-config/src/index.js'
import { writeOwn } from '../../2-files/src/index.js'
import { passedOver } from '../../2-processes/src/index.js'

/** Copies of this process by hash, where the user's own directory is not writable. */
const temporary = new Map<string, string>()

/** Path of an existing copy of the content with this hash. */
export function existingCopy(hash: string, name: string): string | undefined {
  const file = placeOf(hash, name)
  return isOwn(dirname(file), 'directory') && isOwn(file, 'file') ? file : temporary.get(hash)
}

/**
 * Copies verified bytes into a directory that verbs and commands cannot write to: what is started or loaded from there
 * is what was hashed, even if the original changes.
 *
 * @throws HermesError `NOT_INSTALLED` where there is no place for it
 */
export function privateCopy(hash: string, name: string, content: Uint8Array): string {
  const file = placeOf(hash, name)
  orNothing(() => {
    makeOwnDirectory(dirname(file))
    if (process.platform !== 'win32') chmodSync(dirname(file), 0o700)
    writeOwn(file, content, { mode: 0o700 })
  }, undefined)
  return existingCopy(hash, name) ?? temporaryCopy(hash, name, content)
}

function placeOf(hash: string, name: string): string {
  return join(hermesHome(), 'cache', 'packages', hash, name)
}

function temporaryCopy(hash: string, name: string, content: Uint8Array): string {
  if (passedOver(tmpdir()) !== undefined) throw noPlace(name)
  try {
    const directory = mkdtempSync(join(tmpdir(), 'hermes-packages-'))
    process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
    const file = join(directory, name)
    writeFileSync(file, content, { mode: 0o700 })
    temporary.set(hash, file)
    return file
  } catch (error) {
    throw isNodeError(error) ? noPlace(name, error) : error
  }
}

function noPlace(name: string, cause?: Error): HermesError {
  return new HermesError('NOT_INSTALLED', `There is no place for hermes' own copy of ${name}`, {
    hint: 'Make ~/.hermes writable (HERMES_HOME=DIR takes its place), or install hermes outside of the root.', cause,
  })
}

/** Whether only this user can have written it, as far as the system tells. */
function isOwn(path: string, kind: 'directory' | 'file'): boolean {
  const stats = orNothing(() => lstatSync(path), undefined)
  if (!stats || !(kind === 'file' ? stats.isFile() : stats.isDirectory())) return false
  return process.platform === 'win32' || (stats.uid === process.geteuid?.() && (stats.mode & 0o022) === 0)
}
