export { applyFix, BlockScanner, CodeFences, delimiter, readHeader, SpokenText } from './scanner/index.js'
export { NAMES_BY_RULE, type CallWriting } from './dialects/index.js'
export type { ScanOptions, ThoughtTag } from './scanner/index.js'
export * from './parsers/index.js'
