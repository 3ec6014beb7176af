import { CLOCK_STEP_MS } from '../../../../2-files/src/index.js'
import type { GatedFiles } from './gated-files.js'

interface Listing {
  /** Absent if the directory does not exist. */
  mtimeMs: number | undefined
  /** Time of the last listing. */
  at: number
  names: string
}

/**
 * Remembers the names in some directories, to detect added or removed ones: by modification times, and where these
 * changed or prove nothing, by the names.
 */
export class DirectoryListings {
  readonly #known = new Map<string, Listing>()

  add(directory: string, gated: GatedFiles): void {
    if (!this.#known.has(directory)) this.#known.set(directory, listingOf(directory, gated))
  }

  /** Whether names were added or removed since the directories were recorded, or since this last returned true. */
  haveChanged(gated: GatedFiles): boolean {
    let changed = false
    for (const [directory, before] of this.#known) {
      const { mtimeMs, at } = before
      const isProven = gated.isOnDisk && (mtimeMs === undefined || at - mtimeMs > CLOCK_STEP_MS)
      if (isProven && gated.mtimeOf(directory) === mtimeMs) continue
      const now = listingOf(directory, gated)
      this.#known.set(directory, now)
      if (now.names !== before.names) changed = true
    }
    return changed
  }
}

function listingOf(directory: string, gated: GatedFiles): Listing {
  const mtimeMs = gated.mtimeOf(directory)
  return { mtimeMs, at: Date.now(), names: mtimeMs === undefined ? '' : gated.namesIn(directory).sort().join('/') }
}
