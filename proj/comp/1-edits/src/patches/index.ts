export { applyHunks, createdText, type HunkOutcome } from './apply-hunks.js'
export type { FilePatch, Hunk, PatchReading } from './patch.js'
export { readUnified } from './read-unified.js'
export { readV4a } from './read-v4a.js'
