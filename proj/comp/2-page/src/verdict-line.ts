import type { PageSummary } from './run-page-model.js'

/** How a run went, in a line: `7 of 10 blocks succeeded`. */
export function verdictLine(summary: PageSummary): string {
  const { failedHooks = 0 } = summary
  const hooks = failedHooks === 0 ? ''
    : ` · ${failedHooks === 1 ? '1 hook' : `${failedHooks.toLocaleString('en')} hooks`} failed`
  return blocksLine(summary) + hooks
}

function blocksLine({ verdict, total, succeeded, dryRun, rolledBack }: PageSummary): string {
  const blocks = total === 1 ? '1 block' : `${total.toLocaleString('en')} blocks`
  if (verdict === 'pending') return total === 0 ? 'No live blocks' : `${blocks} to run`
  if (verdict === 'running') return `Running: ${succeeded} of ${blocks} succeeded so far`
  if (verdict === 'empty') return 'No live blocks'
  const does = dryRun ? 'would succeed' : 'succeeded'
  const all = total === 1 ? `The block ${does}` : `All ${blocks} ${does}`
  const counts = succeeded === total && verdict === 'succeeded' ? all
    : `${succeeded.toLocaleString('en')} of ${blocks} ${does}`
  if (verdict === 'stopped') return `The run was stopped: ${counts}`
  return rolledBack === undefined ? counts : `${counts}; everything was put back`
}
