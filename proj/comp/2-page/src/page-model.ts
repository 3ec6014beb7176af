import type { ExecutionResult } from '../../0-contracts/src/index.js'
import { tallyOf } from '../../1-reports/src/index.js'
import type { PageItem, PageModel, PageSummary, Verdict } from './run-page-model.js'
import { pageRewrite } from './page-rewrite.js'
import { errorItem, hookItem, resultItem, skippedItem } from './page-items.js'
import { inTextOrder } from './text-order.js'
import { verdictLine } from './verdict-line.js'

export interface RunFacts {
  result: ExecutionResult
  /** The whole answer, where it is known. */
  answer?: string | undefined
  /** Cards of blocks that were made before, by `seq`. */
  cards?: ReadonlyMap<number, PageItem>
  /** Where the run worked: absolute. */
  root: string
  /** Further names of it: paths below one are shown relative. */
  roots?: readonly string[]
  endedAt: Date
}

/** What the page shows of a run that has ended. */
export function pageModel({ result, answer, cards, root, roots = [], endedAt }: RunFacts): PageModel {
  const names = [root, ...roots]
  const items = [
    ...result.results.map((each) => cards?.get(each.seq) ?? resultItem(each, undefined, names)),
    ...result.parseErrors.map(errorItem),
    ...result.skipped.map(skippedItem),
    ...(result.hooks ?? []).map(hookItem),
  ]
  const summary = pageSummary(result, root, endedAt)
  return {
    version: 1, title: `${verdictLine(summary)} · hermes`, summary, items: inTextOrder(items),
    ...(answer !== undefined && { answer }),
    ...(result.rewrites && result.rewrites.length > 0 && { rewrites: result.rewrites.map(pageRewrite) }),
  }
}

/** The counts of a run and what else is said of it as a whole. */
export function pageSummary(result: ExecutionResult, root: string, endedAt: Date): PageSummary {
  const { total, succeeded, failed, unparsed, skipped } = tallyOf(result)
  const { gitCommit, rolledBack, warnings = [], fatalError, durationMs, hooks = [] } = result
  const failedHooks = hooks.filter((hook) => !hook.success && !hook.ignored).length
  return {
    verdict: verdictOf(result), dryRun: result.dryRun ?? false, total, succeeded, failed, unparsed, skipped,
    ...(failedHooks > 0 && { failedHooks }), durationMs,
    endedAt: endedAt.toISOString(), root, ...(gitCommit !== undefined && { gitCommit }),
    ...(rolledBack !== undefined && { rolledBack }),
    warnings, ...(fatalError !== undefined && { fatalError }),
  }
}

function verdictOf({ fatalError, success, totalBlocks, parseErrors }: ExecutionResult): Verdict {
  if (fatalError !== undefined) return 'stopped'
  if (totalBlocks === 0 && parseErrors.length === 0) return 'empty'
  return success ? 'succeeded' : 'failed'
}
