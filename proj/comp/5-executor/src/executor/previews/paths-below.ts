import { dirname } from 'node:path'
import { HermesError, isNodeError, type ApprovedPath, type VerbContext } from '../../../../0-contracts/src/index.js'
import { walk } from '../../../../2-files/src/index.js'

/** Files and directories that are looked at: enough for most projects, and a large one costs the hint only. */
const MOST_ENTRIES = 5000

/** What finding verbs show: neither what is ignored nor what the gate denies. */
export async function pathsBelow(top: ApprovedPath, context: VerbContext): Promise<string[]> {
  const paths = new Set<string>()
  let looked = 0
  try {
    const files = walk(top, context, {
      gitignore: true, order: 'name', enters: () => ++looked < MOST_ENTRIES, onUnreadable: () => undefined,
    })
    for await (const file of files) {
      for (let path = file.relative; path !== '.' && !paths.has(path); path = dirname(path)) paths.add(path)
      if (++looked >= MOST_ENTRIES) break
    }
  } catch (error) {
    // Cancelled, or changed meanwhile: that costs the hint only.
    if (!(error instanceof HermesError) && !isNodeError(error)) throw error
  }
  return [...paths]
}
