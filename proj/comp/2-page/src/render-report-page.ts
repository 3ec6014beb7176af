import { answerProse } from './prose/answer-prose.js'
import type { PageModel } from './run-page-model.js'
import { readPageAssets } from './page-assets.js'
import { pageHtml } from './page-html.js'
import { staticReport } from './static/static-report.js'
import { inTextOrder } from './text-order.js'

/**
 * The report of a run as one file of HTML, which needs nothing else.
 *
 * @throws HermesError `NOT_INSTALLED` where the package was not built
 */
export function renderReportPage(run: PageModel): string {
  const { title, answer, items } = run
  const blocks = inTextOrder(items.filter(({ hook }) => !hook))
  const model = { ...run, ...(answer !== undefined && { prose: answerProse(answer.split(/\r?\n/), blocks) }) }
  return pageHtml({ title, withoutScripts: staticReport(model), data: { model }, ...readPageAssets('report') })
}
