export { isKey, readQuotedAssignment } from './assignment.js'
export { BlockScanner } from './block-scanner.js'
export type { ScanOptions } from './block-scanner.js'
export { delimiter, endLine } from './grammar.js'
export { SOURCE_LIMIT } from './items.js'
export { SECTION_REASONS } from './section-kinds.js'
export type {
  BlockItem, BodyLine, Dialect, EditItem, EnvelopeItem, NearMissItem, ScanError, ScanItem, SectionErrorItem, ShamItem,
  SkippedItem, StraySectionEndItem, ToolCallItem,
} from './items.js'
