export {
  clip, clipUtf8, countBreaks, didYouMean, escapeControls, flagName, listed, modelWords, MOST_MODEL_WORDS, nearest,
  oneOf, printableJson, shellWord, usageError, utf8Length, Utf8Reader, wrapWords,
} from './strings/index.js'
export type { NamedFlag, Utf8Text } from './strings/index.js'
export { createMasker, isSecretName, maskTokenShapes } from './secrets/index.js'
export type { Masker } from './secrets/index.js'
