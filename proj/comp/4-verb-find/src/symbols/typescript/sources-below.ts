import { join } from 'node:path'
import type { ApprovedPath, VerbContext } from '../../../../0-contracts/src/index.js'
import { walk } from '../../../../2-files/src/index.js'

/** Files of a project that are listed at most. */
const MOST_FILES = 20_000

/**
 * Files of TypeScript and JavaScript below a directory, but for installed packages.
 *
 * @param onDirectory told of each directory that is listed
 */
export async function sourcesBelow(
  start: ApprovedPath, context: VerbContext, onDirectory?: (directory: string) => void,
): Promise<string[]> {
  const sources: string[] = []
  onDirectory?.(start)
  const walked = walk(start, context, {
    enters: (relative) => {
      if (/(?:^|\/)node_modules$/.test(relative)) return false
      onDirectory?.(join(start, relative))
      return true
    },
    onUnreadable: () => undefined,
  })
  for await (const { relative } of walked) {
    if (/\.[cm]?[jt]sx?$/.test(relative)) sources.push(join(start, relative))
    if (sources.length === MOST_FILES) break
  }
  return sources
}
