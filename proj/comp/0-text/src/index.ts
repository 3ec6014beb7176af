export {
  brokenLine, bytesOfName, clip, clipUtf8, countBreaks, didYouMean, editDistance, escapeControls, EscapedStream,
  failureText, fenced, flagName, foldLines, hasOnlyCrlf, isNeeded, isOddName, lineFeeds, lineFeedsOf, lineRoom,
  linesWithBreaks, listed, modelWords, MOST_MODEL_WORDS, nameOfBytes, nameOfShown, nearest, nearestAction, oneOf,
  printable, printableJson, shellWord, shownName, shownTime, usageError, utf8Length, Utf8Reader, withoutMark, wrapWords,
  type NamedFlag, type Utf8Text,
} from './strings/index.js'
export { lowerBound } from './lower-bound.js'
export { addTo, valueAt } from './map-entries.js'
export { isMarkdown, sectionsOf, slugOf, type Section } from './markdown/index.js'
export { createMasker, isSecretName, maskTokenShapes, type Masker } from './secrets/index.js'
