export { languageOf } from './language.js'
export type {
  DiffHunk, ItemState, PageChange, PageHook, PageItem, PageModel, PageOutput, PageRewrite, PageSummary, PageText,
  Verdict,
} from './run-page-model.js'
export { readPageAssets, type PageAssets } from './page-assets.js'
export { pageChange, textChange } from './page-change.js'
export { pageHtml, type PageParts } from './page-html.js'
export { blockKey, errorItem, hookItem, resultItem, skippedItem } from './page-items.js'
export { pageModel, pageSummary, type RunFacts } from './page-model.js'
export { pageRewrite } from './page-rewrite.js'
export { PageRecorder, type RecorderOptions } from './page-recorder.js'
export { answerProse, type LineSpan, type ProsePart } from './prose/answer-prose.js'
export type { ProseNode } from './prose/prose-node.js'
export { renderReportPage } from './render-report-page.js'
export { inTextOrder } from './text-order.js'
export { verdictLine } from './verdict-line.js'
