import { fstatSync, readdirSync, statSync, type Stats } from 'node:fs'
import { join, resolve } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { usageError } from '../../../0-text/src/index.js'
import { isInside } from '../../../2-processes/src/index.js'
import { canonicalOf } from './canonical-path.js'

/** A file or directory that will be written. */
export interface Output {
  /** The flag that names it, with its dashes. */
  flag: string
  path: string
}

interface Inputs {
  /** Files and directories; `-` is standard input. */
  paths: readonly string[]
  /** How messages describe a file that is read. */
  isRead: string
}

/**
 * Ensures that no input is overwritten, neither under another name, nor by a symbolic or hard link, nor by an output in
 * a directory that is read as a whole (where it would become an input).
 *
 * @throws HermesError `INVALID_OPTION`
 */
export function requireOtherFiles(outputs: readonly Output[], { paths, isRead }: Inputs): void {
  const inputs = paths.map(lookAt)
  const known = new Map<string, string>()
  for (const { flag, path } of outputs) {
    const output = lookAt(path)
    const { place, stats } = output
    if (isDevice(path, stats)) continue
    if (stats && !stats.isFile() && !stats.isDirectory()) {
      throw usageError(
        `${flag} ${path} is no regular file`, 'Name a file; to hand it to another program use /dev/stdout.',
      )
    }
    const other = known.get(place)
    if (other !== undefined) throw usageError(`${flag} ${path} is written by ${other} too`, 'Name another file.')
    known.set(place, flag)
    for (const input of inputs) requireOther(`${flag} ${path}`, output, input, isRead)
  }
}

interface Place {
  written: string
  /** Path with links resolved, as far as it exists. */
  place: string
  stats: Stats | undefined
}

function lookAt(written: string): Place {
  if (written === '-') return { written, place: '-', stats: orNothing(() => fstatSync(0), undefined) }
  const full = resolve(written)
  const stats = orNothing(() => statSync(full, { throwIfNoEntry: false }), undefined)
  return { written, place: canonicalOf(full), stats }
}

/** Whether it is a device such as `/dev/null`, or `/dev/stdout`, whose target the user has chosen. */
function isDevice(path: string, stats: Stats | undefined): boolean {
  return path.startsWith('/dev/') || path.startsWith('/proc/') || stats?.isCharacterDevice() === true
}

function requireOther(name: string, output: Place, input: Place, isRead: string): void {
  const { stats } = output
  const isDirectory = input.stats?.isDirectory() === true
  if (isDirectory && isInside(input.place, output.place)) {
    throw usageError(
      `${name} lies in ${input.written}, which is read`, 'Write it elsewhere: there it would be taken for an input.',
    )
  }
  // In a directory: the same file by a link or another name.
  const isInput = isDirectory ? stats?.isFile() && holds(input.place, stats)
    : output.place === input.place || isSame(stats, input.stats)
  if (isInput) throw usageError(`${name} is ${isRead}`, 'Name another file: this one would be lost.')
}

function isSame(stats: Stats | undefined, other: Stats | undefined): boolean {
  return stats?.isFile() === true && other !== undefined && stats.ino === other.ino && stats.dev === other.dev
}

function holds(directory: string, stats: Stats): boolean {
  return orNothing(() => readdirSync(directory, { withFileTypes: true }), []).some((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return holds(path, stats)
    return (entry.isSymbolicLink() || (stats.nlink > 1 && entry.isFile()))
      && isSame(stats, orNothing(() => statSync(path), undefined))
  })
}
