import { setImmediate } from 'node:timers/promises'
import { type ApprovedPath, caught, isNodeError, type VerbContext } from '../../../0-contracts/src/index.js'
import { checkSignal, approveIfAllowed } from '../../../2-files/src/index.js'
import { allowedEntries, type AllowedEntry } from './directory-entries.js'

export interface ListedEntry extends AllowedEntry {
  /** Relative to the start, with `/`. */
  relative: string
}

export interface ListOptions {
  /** 1 lists only what is directly in the directory. */
  maxDepth: number
  /** Whether to enter a directory, given its path relative to the start. */
  enters: (relative: string) => boolean
  /** Called with each directory that cannot be read; `''` for the start. */
  onUnreadable: (relative: string, error: Error & { code: string }) => void
}

/**
 * Lists what is below a directory: files, links and directories, each directory before its content. Links are not
 * followed; what the path gate denies is left out.
 *
 * @throws HermesError `CANCELLED` once the signal is aborted
 */
export async function* listTree(
  directory: ApprovedPath, context: VerbContext, options: ListOptions, prefix = '',
): AsyncGenerator<ListedEntry> {
  // Yield, so that an abort can arrive: listing is synchronous.
  await setImmediate()
  checkSignal(context.signal)
  const entries = caught(isNodeError, () => allowedEntries(directory, context), (error) => {
    // A directory that vanished meanwhile has no content.
    if (error.code !== 'ENOENT') options.onUnreadable(prefix.slice(0, -1), error)
    return []
  })
  for (const entry of entries) {
    const relative = prefix + entry.name
    yield { ...entry, relative }
    if (entry.kind !== 'directory' || options.maxDepth <= 1 || !options.enters(relative)) continue
    if (approveIfAllowed(context.gate, entry.path, 'read') === undefined) continue
    yield* listTree(entry.path, context, { ...options, maxDepth: options.maxDepth - 1 }, `${relative}/`)
  }
}
