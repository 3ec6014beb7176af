export { applyFix, BlockScanner, CodeFences, delimiter, readHeader, SpokenText } from './scanner/index.js'
export { NAMES_BY_RULE, type CallWriting } from './dialects/index.js'
export type { ScanOptions, ThoughtTag } from './scanner/index.js'
export {
  AnswerRules, answerText, beginsAsResponse, BlockReader, customArguments, editResponse, fill, fixOf, leakedEnd,
  mayBeginAsResponse, mendedCall, mendText, outcomeOf, parse, parseAnswer, parseCalls, parseChunks, parseResponse,
  putFixes, readBareDocument, readBareEnvelope, readCallEvents, readEvents, readFunctionCall, readResponseEvents,
  readStrictYaml, unreadFormats, writeCall, writeSearchReplace, writingOf,
} from './parsers/index.js'
export type { BareEnvelope, FailedBlock, FunctionCall, Mends, ReadBlock, ReadEvent } from './parsers/index.js'
