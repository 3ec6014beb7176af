export { applyFix, BlockScanner, CodeFences } from './scanner/index.js'
export type { ScanOptions } from './scanner/index.js'
export {
  BlockReader, parse, parseChunks, readBareDocument, readBareEnvelope, readEvents, readFunctionCall, WholeOrEdited,
} from './parsers/index.js'
export type { BareEnvelope, FunctionCall, ReadEvent } from './parsers/index.js'
