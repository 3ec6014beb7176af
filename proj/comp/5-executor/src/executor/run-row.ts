import type { ParsedBlock } from '../../../0-contracts/src/index.js'
import { HeldFile } from '../../../2-files/src/index.js'
import type { ReadEvent } from '../../../1-reading/src/index.js'
import { failure } from './failures.js'
import { toldVerb } from './known-names.js'
import { blockOf, type Attempt, type RanBlock } from './ran-block.js'
import { shown } from './run-block.js'
import type { RunParts } from './run-parts.js'
import { brokenFilesOf, withBroken } from './previews/broken-files.js'
import { withDifference } from './previews/with-difference.js'

/**
 * The consecutive blocks from `at` on that change one and the same file only, by verbs that declare this. None in a dry
 * run, where each block's own diff is shown.
 */
export async function rowFrom(
  events: readonly ReadEvent[], at: number, { registry, settings, context }: RunParts,
): Promise<ParsedBlock[]> {
  const first = blockOf(events[at])
  const second = blockOf(events[at + 1])
  if (!first || second?.action !== first.action || settings.dryRun || settings.changeTexts) return []
  // The user is asked about each change by itself.
  if (context.policy.verbs.write.value === 'ask') return []
  const verb = await toldVerb(first.action, registry)
  const file = verb?.onlyFile === undefined ? undefined : first.params[verb.onlyFile]
  if (verb?.onlyFile === undefined || typeof file !== 'string') return []
  const row: ParsedBlock[] = []
  for (let index = at; index < events.length; index++) {
    const block = blockOf(events[index])
    if (block?.action !== first.action || block.params[verb.onlyFile] !== file) break
    row.push(block)
  }
  return row
}

/**
 * Runs blocks over a file that is read and written once. Where it cannot be written, all blocks that changed it fail.
 */
export async function runRow(blocks: readonly ParsedBlock[], parts: RunParts, attempt: Attempt): Promise<RanBlock[]> {
  const runs: RanBlock[] = []
  /** Blocks whose changes are in memory only. */
  let unwritten: RanBlock[] = []
  /** Blocks whose changes could not be written, and the error. */
  const lost = new Map<RanBlock, unknown>()
  const first = parts.context.files.changes.length
  const checked = brokenFilesOf(parts)
  const files = new HeldFile(checked?.files ?? parts.context.files, (error) => {
    for (const each of error === undefined ? [] : unwritten) lost.set(each, error)
    unwritten = []
  })
  const context = { ...parts.context, files }
  for (const block of blocks) {
    const startedAt = performance.now()
    // The transaction sees the row as one block: the file is read once.
    const transaction = runs.some(({ run }) => run.started) ? undefined : parts.transaction
    const before = files.writes
    const run = await attempt(block, { ...parts, context, transaction })
    const row: RanBlock = { block, run, durationMs: performance.now() - startedAt, changes: [], written: [] }
    runs.push(row)
    if (files.writes > before) unwritten.push(row)
  }
  files.flush()
  for (const [each, error] of lost) {
    const outcome = failure(await withDifference(error), each.block, each.run.verb)
    each.run = { ...each.run, outcome: shown(outcome, parts.settings) }
  }
  const changes = parts.context.files.changes.slice(first)
  for (const each of runs) if (each.run.outcome.success) each.written = changes
  // Problems are reported at the last block: which of them caused them is not known.
  const lastDone = runs.findLast(({ run }) => run.outcome.success)
  if (lastDone) {
    const outcome = withBroken(lastDone.run.outcome, await checked?.broken())
    lastDone.run = { ...lastDone.run, outcome: shown(outcome, parts.settings) }
  }
  // The changes of the row are reported once.
  const last = runs.at(-1)
  if (last) last.changes = changes
  return runs
}
