export {
  alreadyApplied, checkInserted, differenceAt, DROPPED_SHARE, endingsFor, excerptOf, findElision, findOccurrences,
  findStrayFence, fitEndings, indentLength, lineEnding, linesAt, linesOf, locate, lostLines, MATCH_TIERS, mayBeApplied,
  mayNeedOldText, nearestLines, nearestPassage, ownLines, PatchedText, replaceFitting, replacement, shiftLine, splice,
  spliceLines, splitLines, textFinder, withPlainBreaks, type LineParts, type LineRange, type Located, type LostLines,
  type MatchMode, type MatchTier, type Occurrences, type Place,
} from './engine/index.js'
export { applyHunks, createdText, readUnified, readV4a } from './patches/index.js'
export type { FilePatch, HunkOutcome, PatchReading } from './patches/index.js'
