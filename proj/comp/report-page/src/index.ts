export { languageOf } from './language.js'
export type {
  DiffHunk, ItemState, PageChange, PageItem, PageModel, PageOutput, PageSummary, PageText, Verdict,
} from './model.js'
