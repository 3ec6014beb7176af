import {
  closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readlinkSync, realpathSync, statSync,
} from 'node:fs'
import { basename, dirname, join, parse, resolve, sep } from 'node:path'
import { HermesError, orNothing } from '../../../0-contracts/src/index.js'
import { isInside } from '../../../2-processes/src/index.js'
import { isNoFile } from '../atomic-write/index.js'
import { inParent } from '../store/index.js'
import { openThrough } from './open-through.js'
import { runRootOf } from './run-roots.js'

/** Most links in a row, as in Linux. */
const MOST_LINKS = 40

/**
 * Where an output file named by the user has to be written. Links outside the directories in which runs work belong to
 * the user and are followed; a link inside them may have been made by a command, and is refused, as is a pipe, device
 * or socket there.
 *
 * @returns the path without links, except those in `/proc` to open files; need not exist
 * @throws HermesError `POLICY_DENIED` for one of these in the root or an allowed directory; Node's errors
 */
export function outputTarget(file: string): string {
  const full = resolve(file)
  let { root: at } = parse(full)
  let names = namesOf(full.slice(at.length))
  for (let links = 0; names.length > 0;) {
    // What leads to an open file (`/dev/stdout`) cannot be resolved by its names.
    if (process.platform === 'linux' && isInside('/proc', at)) return openFile(join(at, ...names))
    const [name = '', ...rest] = names
    const path = join(at, name)
    names = rest
    if (orNothing(() => lstatSync(path, { throwIfNoEntry: false }), undefined)?.isSymbolicLink() !== true) {
      at = path
      continue
    }
    const root = runRootOf(path)
    if (root !== undefined) throw linked(file, path, root)
    if (++links > MOST_LINKS) throw new HermesError('ELOOP', `Too many links: ${file}`)
    const target = resolve(at, readlinkSync(path))
    at = parse(target).root
    names = [...namesOf(target.slice(at.length)), ...rest]
  }
  requireNoSpecial(file, at)
  return process.platform === 'linux' ? at : spelledAsOnDisk(at)
}

/**
 * Creates the directory of an output.
 *
 * @returns and throws as `outputTarget`
 */
export function makeOutputDirectory(file: string): string {
  const target = outputTarget(file)
  mkdirSync(dirname(target), { recursive: true })
  return target
}

/**
 * Opens an output without following links that appear meanwhile.
 *
 * @param flags of `open`, without `O_NOFOLLOW`
 * @throws as `outputTarget`; HermesError `POLICY_DENIED` also for a file of the root with another hard link elsewhere
 */
export function openOutput(file: string, flags: number, mode = 0o666): number {
  const target = outputTarget(file)
  if (isOpenFile(target)) return openSync(target, flags, mode)
  const descriptor = inParent(target, 'open', (held) => (
    isNoFile(held) ? openThrough(held, file) : openSync(held, flags | (constants.O_NOFOLLOW ?? 0), mode)
  ))
  const { nlink } = fstatSync(descriptor)
  const root = nlink > 1 && statSync(target).isFile() ? runRootOf(target) : undefined
  if (root === undefined) return descriptor
  closeSync(descriptor)
  throw new HermesError('POLICY_DENIED', `${file} has another name (a hard link), which would be written too`, {
    hint: `A command may have made it. Remove ${target}, or name a file outside of ${root}.`,
  })
}

/** Whether a target is an open file in `/proc`, which has no directory to hold. */
export function isOpenFile(target: string): boolean {
  return process.platform === 'linux' && isInside('/proc', target)
}

function openFile(path: string): string {
  return orNothing(() => statSync(path).isFile(), false) ? realpathSync.native(path) : path
}

function namesOf(path: string): string[] {
  return path.split(sep).filter((name) => name !== '')
}

/** Where case is ignored, a held directory is compared in the system's spelling. */
function spelledAsOnDisk(path: string): string {
  const directory = dirname(path)
  return join(orNothing(() => realpathSync.native(directory), directory), basename(path))
}

/** @param target without links */
function requireNoSpecial(file: string, target: string): void {
  const stats = orNothing(() => lstatSync(target, { throwIfNoEntry: false }), undefined)
  if (stats === undefined || stats.isFile() || stats.isDirectory()) return
  const root = runRootOf(target)
  if (root === undefined) return
  throw new HermesError('POLICY_DENIED', `${file} is no file in ${root}, where commands work: it is not written`, {
    hint: `It is a pipe, a device or a socket that a command may have made. Remove ${target}, `
      + 'or name a file outside of the root and the --allow directories.',
  })
}

function linked(file: string, link: string, root: string): HermesError {
  const how = resolve(file) === link ? 'is a link' : `leads through a link, ${link},`
  return new HermesError('POLICY_DENIED', `${file} ${how} in ${root}, where commands work: it is not written`, {
    hint: `A command may have put the link there. Look where it leads, remove ${link}, `
      + 'or name a file outside of the root and the --allow directories.',
  })
}
