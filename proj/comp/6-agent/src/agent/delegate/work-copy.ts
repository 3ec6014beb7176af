import { createHash } from 'node:crypto'
import {
  accessSync, type BigIntStats, closeSync, constants, lstatSync, mkdirSync, openSync, symlinkSync, writeSync,
} from 'node:fs'
import { basename, dirname, isAbsolute, join, posix, resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type ApprovedPath, caught, type DelegateCall, type DelegatedState, HermesError, isNodeError, orNothing,
} from '../../../../0-contracts/src/index.js'
import { shownName } from '../../../../0-text/src/index.js'
import {
  approveIfAllowed, checkSignal, diskPath, isExecutable, isInside, openMarkedDirectory, readLink,
} from '../../../../2-files/src/index.js'
import type { DelegateBounds } from '../loop-options.js'
import type { CopyPlace } from './agent-part.js'
import { belowLinks, foldersOf, placeOf, treeNames } from './tree-listing.js'

/** A file of the copy, as it was made. */
export interface CopiedFile extends DelegatedState {
  /** In bytes. */
  size: number
  /** Of the copy: while it is the same nothing was changed. */
  stamp: string
}

/** A copy of a tree for one delegate, in the directory for temporary files. */
export interface WorkCopy extends CopyPlace {
  /** By their names from the root. */
  readonly files: ReadonlyMap<string, CopiedFile>
  /** Names of the links that were made again. */
  readonly links: ReadonlySet<string>
  /** What of the tree is not in the copy, one line for each kind. */
  readonly notes: readonly string[]
  /** Never rejects: what cannot be removed now the next copy removes. */
  remove(): Promise<void>
}

const MOST_FILES = 50_000
const MOST_BYTES = 1024 ** 3
/** Larger files are copied piece by piece, in bytes. */
const WHOLE = 4 * 1024 * 1024
/** Files between two turns of the event loop. */
const FILES_A_TURN = 50

/**
 * Copies what a tree holds, as far as the gate lets it be read: nothing of git's own, of hermes' or of the user's
 * secrets. Git is only asked for names: neither index nor refs nor hooks of the repository are touched.
 *
 * @throws HermesError `FILE_TOO_LARGE` for a tree beyond the bounds, `ENOSPC`, `CANCELLED`
 */
export async function openWorkCopy(root: string, call: DelegateCall, bounds: DelegateBounds): Promise<WorkCopy> {
  const closed = new Set<string>()
  const names = await treeNames(root, call, (folder) => closed.add(`${shownName(folder)}/`))
  const listing = list(root, names, call, bounds, closed)
  const directory = await openMarkedDirectory('hermes-delegate-')
  const target = join(directory.path, basename(root) || 'root')
  try {
    mkdirSync(target, { mode: 0o700 })
    const files = new Map<string, CopiedFile>()
    for (const [index, { name, path, size }] of listing.files.entries()) {
      if (index % FILES_A_TURN === 0) await nextTurn()
      checkSignal(call.signal)
      const copied = await copyOne(path, placeOf(target, name), size, call)
      if (copied) files.set(name, copied)
    }
    for (const { name, leads } of listing.links) {
      const place = placeOf(target, name)
      mkdirSync(diskPath(dirname(place)), { recursive: true })
      symlinkSync(diskPath(leads), diskPath(place))
    }
    return {
      root: target, original: root, files, links: new Set(listing.links.map(({ name }) => name)),
      notes: listing.notes, remove: () => directory.remove(),
    }
  } catch (error) {
    await directory.remove()
    if (!isNodeError(error)) throw error
    throw new HermesError(error.code, `delegate: the copy could not be made (${error.code})`, {
      hint: error.code === 'ENOSPC' ? 'The disk is full: use mode "read", or do the task yourself.'
        : 'Use mode "read", or do the task yourself.',
      cause: error,
    })
  }
}

interface Listing {
  files: { name: string; path: ApprovedPath; size: number }[]
  links: { name: string; leads: string }[]
  notes: string[]
}

/** @throws HermesError `FILE_TOO_LARGE` */
function list(
  root: string, names: readonly string[], { gate, files }: DelegateCall,
  { copyFiles = MOST_FILES, copyBytes = MOST_BYTES }: DelegateBounds, closed: Set<string>,
): Listing {
  const listing: Listing = { files: [], links: [], notes: [] }
  const nested: string[] = []
  const links: string[] = []
  const isBelowLink = belowLinks(root)
  const folders = foldersOf(names)
  let bytes = 0
  for (const name of names) {
    // Git still lists what was in a folder before a link came in its place.
    if (isBelowLink(name)) continue
    const place = placeOf(root, name)
    const folder = closedAbove(root, name)
    if (folder !== undefined) {
      if (approveIfAllowed(gate, placeOf(root, folder), 'list')) closed.add(`${shownName(folder)}/`)
      continue
    }
    const shown = approveIfAllowed(gate, place, 'list')
    const kind = shown === undefined ? undefined : orNothing(() => files.lstat(shown)?.kind, undefined)
    if (kind === 'directory') {
      // A folder in the place of a file that git still lists has names of its own.
      if (!folders.has(name)) nested.push(shownName(name))
    } else if (kind === 'link') {
      const leads = linkInside(root, place, gate)
      if (leads === undefined) links.push(shownName(name))
      else listing.links.push({ name, leads })
    }
    const path = kind === 'file' ? approveIfAllowed(gate, place, 'read') : undefined
    if (path === undefined) continue
    if (isClosed(() => accessSync(diskPath(path), constants.R_OK))) {
      closed.add(shownName(name))
      continue
    }
    const size = files.stat(path)?.size ?? 0
    bytes += size
    listing.files.push({ name, path, size })
  }
  if (listing.files.length > copyFiles || bytes > copyBytes) {
    const size = `${listing.files.length} files, ${Math.ceil(bytes / 1024 ** 2)} MiB`
    const most = `${copyFiles} files and ${Math.floor(copyBytes / 1024 ** 2)} MiB`
    throw new HermesError('FILE_TOO_LARGE', `delegate: the tree is too large for a copy: ${size}, of ${most} at most`, {
      hint: 'Use mode "read", or do the task yourself.',
    })
  }
  if (nested.length > 0) {
    listing.notes.push(`Not in the copy, as repositories of their own (submodules): ${some(nested)}`)
  }
  if (closed.size > 0) {
    listing.notes.push(`Not in the copy, as the user of hermes may not read them: ${some([...closed].sort())}`)
  }
  if (links.length > 0) listing.notes.push(`Not in the copy, as links that lead out of the project: ${some(links)}`)
  return listing
}

/** The folder below which a name cannot be reached: whether the gate would show the name is not known then. */
function closedAbove(root: string, name: string): string | undefined {
  let at = name
  while (at !== '.' && isClosed(() => lstatSync(diskPath(placeOf(root, at))))) at = posix.dirname(at)
  return at === name ? undefined : at
}

function isClosed(look: () => unknown): boolean {
  return caught(isNodeError, () => {
    look()
    return false
  }, ({ code }) => code === 'EACCES' || code === 'EPERM')
}

function some(names: readonly string[]): string {
  const most = 10
  return names.slice(0, most).join(', ') + (names.length > most ? ` and ${names.length - most} more` : '')
}

/** What a relative link says that leads to what may be read in the root; `undefined` for others. */
function linkInside(root: string, place: string, gate: DelegateCall['gate']): string | undefined {
  const leads = orNothing(() => readLink(place), undefined)
  if (leads === undefined || isAbsolute(leads) || !isInside(root, resolve(dirname(place), leads))) return undefined
  const target = approveIfAllowed(gate, place, 'read')
  return target !== undefined && isInside(root, target) ? leads : undefined
}

/** `undefined` for a file that is gone by now. */
async function copyOne(
  from: ApprovedPath, to: string, size: number, { files }: DelegateCall,
): Promise<CopiedFile | undefined> {
  mkdirSync(diskPath(dirname(to)), { recursive: true })
  try {
    const executable = isExecutable(lstatSync(diskPath(from)).mode)
    const hash = createHash('sha256')
    const pieces = size > WHOLE ? files.chunks(from) : [files.peekBytes(from, Infinity)]
    const fd = openSync(diskPath(to), 'wx', executable ? 0o755 : 0o644)
    try {
      for await (const piece of pieces) {
        hash.update(piece)
        for (let at = 0; at < piece.length;) at += writeSync(fd, piece, at)
      }
    } finally {
      closeSync(fd)
    }
    const made = lstatSync(diskPath(to), { bigint: true })
    return { sha256: hash.digest('hex'), executable, size: Number(made.size), stamp: stampOf(made) }
  } catch (error) {
    if (isNodeError(error) && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** What changes with any change of a file, whatever a program sets. */
export function stampOf({ ino, size, mode, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mode} ${ctimeNs}`
}
