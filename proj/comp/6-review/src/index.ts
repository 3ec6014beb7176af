export type { PageFiles } from './page-files.js'
export type { ReviewMessage } from './review-protocol.js'
export type { ReviewEnd } from './review-options.js'
export {
  applyPatch, type Ask, type Patch, type Prompt, type ReviewItem, type ReviewState, type RunOutcome, type Update,
} from './review-state.js'
export { serveReview, type ServeReviewOptions } from './serve-review.js'
export { runSettings } from './run-settings.js'
