import { createHash } from 'node:crypto'
import {
  chmodSync, existsSync, lstatSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { HermesError, isNodeError, orNothing } from '../../0-contracts/src/index.js'
import { hermesHome, makeOwnDirectory } from '../../2-config/src/index.js'
import { upwards, writeOwn } from '../../2-files/src/index.js'
import { isInReachOfRuns, passedOver } from '../../2-processes/src/index.js'
import { PINNED_FILES } from './pinned-files.js'

/** Copies of this process by hash, where the user's own directory is not writable. */
const temporary = new Map<string, string>()

/** Content of a package file, and its hash if it is pinned. */
export interface VerifiedFile {
  bytes: Uint8Array
  hash: string | undefined
}

/**
 * Reads a file of a package in order to load it. Where a run may write, e.g. in `node_modules` of a project, it must be
 * what the build pinned; elsewhere the user is trusted.
 *
 * @param directory of the package
 * @throws HermesError `NOT_INSTALLED` where it is not; Node's errors
 */
export function readVerified(name: string, directory: string, file: string): VerifiedFile {
  const path = join(directory, file)
  const bytes = readFileSync(path)
  const hash = createHash('sha256').update(bytes).digest('hex')
  if (pinsOf(name, file).includes(hash)) return { bytes, hash }
  if (isOutOfReach(path)) return { bytes, hash: undefined }
  throw new HermesError('NOT_INSTALLED', `${path} is not the file of ${name} that hermes was built with, and a run `
    + 'could have written it: it is not loaded', {
    hint: `Install hermes outside of the root (npm install -g), or here ${versionsOf(name)}.`,
  })
}

/**
 * Path of a program or addon of a package, for the system to load: a copy that no run can write.
 *
 * @throws HermesError `NOT_INSTALLED`; Node's errors
 */
export function verifiedPath(name: string, directory: string, file: string): string {
  const copy = pinsOf(name, file).flatMap(hash => existingCopy(hash, basename(file)) ?? [])[0]
  if (copy !== undefined && existsSync(join(directory, file))) return copy
  const { bytes, hash } = readVerified(name, directory, file)
  return hash === undefined ? realpathSync.native(join(directory, file)) : privateCopy(hash, basename(file), bytes)
}

/** Pinned hashes of a file, of all versions. */
function pinsOf(name: string, file: string): string[] {
  return PINNED_FILES.filter(pin => pin[0] === name && pin[2] === file).map(pin => pin[3])
}

/**
 * Whether no run can write there, as far as known: by the rules for programs in PATH, and outside any project, in which
 * a run may have been before.
 */
export function isOutOfReach(path: string): boolean {
  const real = orNothing(() => realpathSync.native(path), undefined)
  return real !== undefined && !isInReachOfRuns(dirname(real), hermesHome()) && !isOfProject(real)
}

/** Whether a path is in the `node_modules` of a project or of npx; a global one has no manifest beside it. */
function isOfProject(path: string): boolean {
  return upwards(path).some(here => (
    basename(here) === 'node_modules' && existsSync(join(dirname(here), 'package.json'))
  ))
}

/** Versions that can be installed where runs write: the newest, as each is pinned. */
function versionsOf(name: string): string {
  const versions = [...new Set(PINNED_FILES.filter(pin => pin[0] === name).map(pin => pin[1]))]
  return `${name}@${versions.at(-1) ?? 'latest'}`
}

/** Whether an error means that a file is missing. */
export function isMissing(error: unknown): boolean {
  return isNodeError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/** Path of an existing copy of the content with this hash. */
function existingCopy(hash: string, name: string): string | undefined {
  const file = placeOf(hash, name)
  return isOwn(dirname(file), 'directory') && isOwn(file, 'file') ? file : temporary.get(hash)
}

/**
 * Copies verified bytes into a directory that verbs and commands cannot write to: what is started or loaded from there
 * is what was hashed, even if the original changes.
 *
 * @throws HermesError `NOT_INSTALLED` where there is no place for it
 */
function privateCopy(hash: string, name: string, content: Uint8Array): string {
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
