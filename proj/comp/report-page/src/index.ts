export { languageOf } from './language.js'
export type {
  DiffHunk, ItemState, PageChange, PageItem, PageModel, PageOutput, PageSummary, PageText, Verdict,
} from './model.js'
export { readPageAssets } from './page-assets.js'
export type { PageAssets } from './page-assets.js'
export { pageChange } from './page-change.js'
export { pageHtml, pagePolicy } from './page-html.js'
export type { PageParts } from './page-html.js'
export { blockKey, errorItem, resultItem, skippedItem } from './page-items.js'
export { inTextOrder, pageModel, pageSummary } from './page-model.js'
export type { RunFacts } from './page-model.js'
export { renderReportPage } from './render-report-page.js'
export { verdictLine } from './verdict-line.js'
