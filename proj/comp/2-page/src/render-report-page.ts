import type { PageModel } from './run-page-model.js'
import { readPageAssets } from './page-assets.js'
import { pageHtml } from './page-html.js'
import { staticReport } from './static/static-report.js'

/**
 * The report of a run as one file of HTML, which needs nothing else.
 *
 * @throws HermesError `NOT_INSTALLED` where the package was not built
 */
export function renderReportPage(model: PageModel): string {
  return pageHtml({
    title: model.title, withoutScripts: staticReport(model), data: { model }, ...readPageAssets('report'),
  })
}
