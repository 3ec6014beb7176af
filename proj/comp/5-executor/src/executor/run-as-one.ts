import type { ParsedBlock } from '../../../0-contracts/src/index.js'
import { HeldFile } from '../../../2-files/src/index.js'
import { failure, hintOf } from './failures.js'
import type { Attempt } from './ran-block.js'
import type { BlockRun, RunParts } from './run-parts.js'
import { brokenFilesOf, withBroken } from './previews/broken-files.js'
import { withDifference } from './previews/with-difference.js'

/**
 * Runs several changes of one file as one: the file is written when all succeed, and not at all where one fails. The
 * result has the data of each.
 *
 * @param blocks of verbs that change nothing else (`onlyFile`), all the same file
 */
export async function runAsOne(
  blocks: readonly ParsedBlock[], parts: RunParts, attempt: Attempt,
): Promise<BlockRun> {
  let lost: { error: unknown } | undefined
  const checked = brokenFilesOf(parts)
  const files = new HeldFile(checked?.files ?? parts.context.files, (error) => {
    if (error !== undefined) lost = { error }
  })
  const context = { ...parts.context, files }
  const runs: BlockRun[] = []
  for (const [index, block] of blocks.entries()) {
    // The transaction sees all of them as one block.
    const transaction = index === 0 ? parts.transaction : undefined
    const run = await attempt(block, { ...parts, context, transaction })
    const { success, error } = run.outcome
    if (!success) {
      const place = `${index + 1} of ${blocks.length}`
      return { ...run, outcome: { ...run.outcome, error: `${error} (${place}; nothing of them was written)` } }
    }
    runs.push(run)
  }
  files.flush()
  const [first] = runs
  const { verb } = first ?? {}
  const block = blocks[0]
  if (lost && block) return { ...first, started: true, outcome: failure(await withDifference(lost.error), block, verb) }
  return {
    ...first, started: true,
    outcome: withBroken({
      success: true, data: runs.map(({ outcome }) => outcome.data), ...hintOf(runs.map(({ outcome }) => outcome.hint)),
      ...(runs.some(({ outcome }) => outcome.warned) && { warned: true }),
    }, await checked?.broken()),
  }
}
