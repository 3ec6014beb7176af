export { isKey, readQuotedAssignment } from './assignment.js'
export { BlockScanner, type ScanOptions } from './block-scanner.js'
export { SECTION_REASONS, THINK_CLOSERS, type ThoughtTag } from './section-kinds.js'
export { CodeFences } from './code-fences.js'
export {
  applyFix, endMarkerFix, headerFix, isNearEnd, missingEndFix, strayFenceFix, terminatorFix, type MarkedBlock,
} from './fixes.js'
export { delimiter, endLine, readHeader, readHeredocOpener, TOOL_CALL_CLOSE, TOOL_CALL_OPEN } from './grammar.js'
export { lineError, MAX_FIXED, SOURCE_LIMIT } from './items.js'
export { SpokenText } from './spoken-text.js'
export type {
  BodyLine, Dialect, DialectCallItem, DialectField, EditItem, EnvelopeItem, NearMissItem, ScanError, ScanItem, ShamItem,
  StraySectionEndItem, ToolCallItem,
} from './items.js'
