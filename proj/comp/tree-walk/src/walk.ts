import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { HermesError, isNodeError } from '../../contracts/src/index.js'
import type { ApprovedPath, DirectoryEntry, VerbContext } from '../../contracts/src/index.js'
import { approveIfAllowed } from '../../verb-paths/src/index.js'

export interface WalkedEntry {
  path: ApprovedPath
  /** Below the start, with `/`. */
  relative: string
}

export interface WalkOptions {
  /** Which directories to enter, by their path below the start. Default: all. */
  enters?: (relative: string) => boolean
  /** Links to files are found too, as their targets. Default false. */
  links?: boolean
  /** Called with each directory that cannot be read. */
  onUnreadable: (relative: string, error: Error & { code: string }) => void
}

/** Never entered, and never found as files either (`.git` is one in a linked work tree). */
const NEVER = new Set(['.git', '.hermes'])

/**
 * The files below a directory, in the order of their relative paths. Links to directories are not followed, so there
 * are no loops; what the gate denies is passed over.
 *
 * @throws HermesError `CANCELLED` once the signal is aborted
 */
export async function* walk(
  start: ApprovedPath, context: Pick<VerbContext, 'gate' | 'files' | 'signal'>, options: WalkOptions,
): AsyncGenerator<WalkedEntry> {
  yield* walkDirectory(start, '', context, options)
}

async function* walkDirectory(
  directory: ApprovedPath, prefix: string, context: Pick<VerbContext, 'gate' | 'files' | 'signal'>,
  options: WalkOptions,
): AsyncGenerator<WalkedEntry> {
  // Lets an abort arrive: listing itself is synchronous.
  await setImmediate()
  checkSignal(context.signal)
  for (const { name, kind } of sortedEntries(directory, prefix, context, options)) {
    const relative = prefix + name
    if (NEVER.has(name)) continue
    if (kind === 'directory' && options.enters && !options.enters(relative)) continue
    if (kind === 'other' || (kind === 'link' && !options.links)) continue
    const path = approveIfAllowed(context.gate, join(directory, name), 'read')
    if (path === undefined) continue
    if (kind === 'directory') yield* walkDirectory(path, `${relative}/`, context, options)
    else if (kind === 'file' || context.files.stat(path)?.kind === 'file') yield { path, relative }
  }
}

/** @throws HermesError `CANCELLED` */
export function checkSignal(signal: AbortSignal): void {
  if (signal.aborted) throw new HermesError('CANCELLED', 'The run was cancelled')
}

function sortedEntries(
  directory: ApprovedPath, prefix: string, { files }: Pick<VerbContext, 'files'>, options: WalkOptions,
): DirectoryEntry[] {
  try {
    // With the slash that follows it a directory sorts as the paths of its files do.
    const key = ({ name, kind }: DirectoryEntry) => (kind === 'directory' ? `${name}/` : name)
    return files.list(directory).sort((a, b) => (key(a) < key(b) ? -1 : 1))
  } catch (error) {
    if (!isNodeError(error)) throw error
    // One that vanished meanwhile holds nothing.
    if (error.code !== 'ENOENT') options.onUnreadable(prefix.slice(0, -1), error)
    return []
  }
}
