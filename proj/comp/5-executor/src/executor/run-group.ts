import { join } from 'node:path'
import type { ApprovedPath, ParsedBlock, VerbContext } from '../../../0-contracts/src/index.js'
import { errorNamedAs } from '../../../2-files/src/index.js'
import type { ReadEvent } from '../../../1-reading/src/index.js'
import type { RunTransaction } from '../../../3-transaction/src/index.js'
import { failure } from './failures.js'
import { toldVerb } from './known-names.js'
import { blockOf, type Attempt, type RanBlock } from './ran-block.js'
import { shown } from './run-block.js'
import type { BlockRun, RunParts } from './run-parts.js'
import { withDifference } from './previews/with-difference.js'

/** Most blocks whose results are reported together. */
const MOST_BLOCKS = 64

/** The blocks from `at` on that each write one whole file, by verbs that declare this, in a durable run. */
export async function groupFrom(
  events: readonly ReadEvent[], at: number, { registry, settings, transaction, context }: RunParts,
): Promise<ParsedBlock[]> {
  const group: ParsedBlock[] = []
  if (!settings.durable || !transaction || context.policy.verbs.write.value === 'ask') return group
  for (let index = at; index < events.length && group.length < MOST_BLOCKS; index++) {
    const block = blockOf(events[index])
    if (!block || block.action === '' || !(await toldVerb(block.action, registry))?.writesOneFile) break
    group.push(block)
  }
  return group
}

/**
 * Runs blocks whose files are written after one journal flush for several of them. A block whose file then cannot be
 * written fails.
 *
 * @param transaction of the run
 */
export async function runGroup(
  blocks: readonly ParsedBlock[], parts: RunParts, transaction: RunTransaction, attempt: Attempt,
): Promise<RanBlock[]> {
  const { files } = transaction
  const runs: { block: ParsedBlock; run: BlockRun; durationMs: number }[] = []
  const first = files.changes.length
  /** The block that owns each change, from change `first` on. */
  const owners: ParsedBlock[] = []
  const lost = new Map<ParsedBlock, unknown>()
  /** Approved paths as the model wrote them. */
  const names = new Map<ApprovedPath, string>()
  let now: ParsedBlock | undefined
  const claim = (owner: ParsedBlock): void => {
    for (let at = owners.length; at < files.changes.length - first; at++) owners.push(owner)
  }
  files.hold((path) => {
    const owner = now
    return (error) => {
      if (!owner) return
      if (error === undefined) claim(owner)
      else lost.set(owner, errorNamedAs(error, names.get(path) ?? path, path))
    }
  })
  const context = settling(parts.context, transaction, names)
  try {
    for (const block of blocks) {
      now = block
      const startedAt = performance.now()
      const run = await attempt(block, { ...parts, context })
      runs.push({ block, run, durationMs: performance.now() - startedAt })
      claim(block)
    }
  } finally {
    files.release()
  }
  const made = files.changes.slice(first)
  return Promise.all(runs.map(async ({ block, run, durationMs }) => {
    const changes = made.filter((_, at) => owners[at] === block)
    if (!lost.has(block)) return { block, run, durationMs, changes, written: changes }
    const outcome = failure(await withDifference(lost.get(block)), block, run.verb)
    return { block, run: { ...run, outcome: shown(outcome, parts.settings) }, durationMs, changes, written: changes }
  }))
}

/**
 * Writes pending files before anything outside the store could look at them, and before waiting for a user.
 *
 * @param names receives the paths as the model wrote them, by approved path
 */
function settling(
  context: VerbContext, { files }: RunTransaction, names: Map<ApprovedPath, string>,
): VerbContext {
  return {
    ...context,
    gate: {
      approve(path, access) {
        const approved = context.gate.approve(path, access)
        names.set(approved, path)
        return files.settle(approved) ? context.gate.approve(path, access) : approved
      },
      approveEntry(directory, name, access) {
        const approve = (): ApprovedPath => (
          context.gate.approveEntry?.(directory, name, access) ?? context.gate.approve(join(directory, name), access)
        )
        const approved = approve()
        return files.settle(approved) ? approve() : approved
      },
    },
    approve(request) {
      files.settle()
      return context.approve(request)
    },
  }
}
