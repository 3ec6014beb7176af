export { chosenTexts, isUndone, type TextChoice } from './chosen-texts.js'
export { isExact, recordedRewrite, rewrittenAgain, rewrittenAnswer, type PreparedText } from './exact.js'
export { applyAgain } from './apply-again.js'
export { modelTexts, withExactness, withSavedRewrites, type SavedRewrites } from './model-texts.js'
