import { momentOf, rolledBackWords, timeOf } from '../page-words.js'
import type { PageSummary } from '../run-page-model.js'
import { verdictLine } from '../verdict-line.js'
import { PlainText } from './text-view.js'
import { Visible } from './code-text.js'

/** How the run went, where and when. */
export function Summary({ summary }: { summary: PageSummary }) {
  const { verdict, durationMs, endedAt, root, gitCommit, rolledBack, warnings, fatalError, dryRun } = summary
  const hasEnded = verdict !== 'pending' && verdict !== 'running'
  return <section class={`summary verdict-${verdict}`} aria-label="Summary">
    <h1>{verdictLine(summary)}</h1>
    <p class="facts">
      {dryRun && hasEnded && <span class="badge">Dry run: nothing was changed</span>}
      {hasEnded && <span>{`took ${timeOf(durationMs)}`}</span>}
      {hasEnded && <time dateTime={endedAt}>{momentOf(endedAt)}</time>}
      <span class="path"><Visible text={root} /></span>
      {gitCommit !== undefined && <span>{'commit '}<code>{gitCommit.slice(0, 10)}</code></span>}
    </p>
    {fatalError !== undefined && <p class="error"><PlainText text={fatalError} /></p>}
    {rolledBack !== undefined && <p class="hint">{rolledBackWords(rolledBack)}</p>}
    {warnings.map((warning, index) => <p key={index} class="hint"><PlainText text={warning} /></p>)}
  </section>
}
