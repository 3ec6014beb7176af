import { inTextOrder } from '../../../2-page/src/page/index.js'
import type { PageItem, PageModel, PageSummary, Verdict } from '../../../2-page/src/index.js'
import type { ReviewState } from '../review-state.js'

/** What the page of a review shows, in the shape that all pages of runs show. */
export function modelOf(state: ReviewState): PageModel {
  const items = inTextOrder([...state.items.map(({ card }) => card), ...state.others])
  return {
    version: 1, title: `${state.title} · hermes review`, summary: summaryOf(state, items), items,
    rewrites: state.rewrites,
  }
}

function summaryOf(
  { phase, outcome, root, warnings, fatalError, items: blocks }: ReviewState, items: readonly PageItem[],
): PageSummary {
  const count = (state: PageItem['state']): number => items.filter((item) => item.state === state && !item.hook).length
  const failedHooks = outcome?.failedHooks ?? 0
  const stopped = outcome?.fatalError ?? fatalError
  return {
    verdict: verdictOf(phase, outcome), dryRun: false, total: blocks.filter(({ ticked }) => ticked).length,
    succeeded: count('succeeded'),
    failed: count('failed'), unparsed: count('unparsed'), skipped: count('skipped'),
    durationMs: outcome?.durationMs ?? 0, endedAt: outcome?.endedAt ?? '', root, warnings,
    ...(failedHooks > 0 && { failedHooks }), ...(outcome?.gitCommit !== undefined && { gitCommit: outcome.gitCommit }),
    ...(outcome?.rolledBack !== undefined && { rolledBack: outcome.rolledBack }),
    ...(stopped !== undefined && { fatalError: stopped }),
  }
}

function verdictOf(phase: ReviewState['phase'], outcome: ReviewState['outcome']): Verdict {
  if (phase === 'running') return 'running'
  if (!outcome) return 'pending'
  if (outcome.fatalError !== undefined) return 'stopped'
  return outcome.success ? 'succeeded' : 'failed'
}
