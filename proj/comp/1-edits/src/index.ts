export {
  alreadyApplied, checkInserted, differenceAt, DROPPED_SHARE, endingNear, excerptOf, findElision, findOccurrences,
  findStrayFence, indentLength, lineEnding, linesAt, linesOf, locate, lostLines, MATCH_TIERS, mayNeedOldText,
  nearestLines, nearestPassage, ownLines, PatchedText, replacement, replaceText, shiftLine, splice, spliceLines,
  splitLines, textFinder,
} from './engine/index.js'
export type { LineRange, Located, LostLines, MatchMode, MatchTier, Occurrences, Place } from './engine/index.js'
export { applyHunks, createdText, readUnified, readV4a } from './patches/index.js'
export type { FilePatch, HunkOutcome, PatchReading } from './patches/index.js'
