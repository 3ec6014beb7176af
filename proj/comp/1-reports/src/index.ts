export { columnsFor, type BlockColumns } from './block-columns.js'
export { actionWords, subjectOfResult } from './called.js'
export { approvalLines, type ApprovalLines } from './approval-lines.js'
export { renderAnnotations, renderJunit, renderSarif, runItems, type CiItem } from './ci/index.js'
export { commandOutput, type CommandOutput } from './command-output.js'
export type { FencesFound } from './nothing-found.js'
export {
  changesDiff, loadDiffRenderer, loadLineDiff, renderTextDiff, shortTextDiff, type LineDiff, type ShortDiff,
} from './diff.js'
export { renderFeedback } from './feedback.js'
export { fileOfCall } from './file-of-call.js'
export { fixLines } from './fix-lines.js'
export { isOnlyLikely } from './skipped-lines.js'
export { renderMarkdownReport } from './markdown-report.js'
export { createPalette, type Palette } from './palette.js'
export { renderParseOutcome } from './parse-outcome.js'
export { duration, plural } from './quantities.js'
export {
  createSeenContents, DEFAULT_CALL_TOKENS, DEFAULT_REPLY_TOKENS, LEAST_REPLY_TOKENS, renderCall, renderReply,
  tokensAtMost, withNextOffset, type CallText, type ItemOptions, type ReplyOptions, type SeenContents,
} from './reply/index.js'
export { shortPath, type ReportStyle } from './report-style.js'
export { rewriteFeedback, rewriteLine } from './rewrites.js'
export { subjectOf, subjectParams } from './subject.js'
export { tallyOf, type Tally } from './tally.js'
export { renderTerminal } from './terminal.js'
export { renderUnmended } from './unmended.js'
export { whatChanged } from './what-changed.js'
export { wrapLines } from './wrap-lines.js'
