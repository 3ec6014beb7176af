export { AnswerRules } from './answer-rules.js'
export { readBareDocument, readBareEnvelope } from './bare-envelope.js'
export type { BareDocument, BareEnvelope } from './bare-envelope.js'
export { BlockReader } from './block-reader.js'
export { parseCalls, readCallEvents } from './call-events.js'
export { customArguments, readFunctionCall } from './function-call.js'
export type { FunctionCall } from './function-call.js'
export { leakedEnd } from './leaked-end.js'
export { parse, parseChunks, readEvents } from './parse.js'
export {
  answerText, beginsAsResponse, editResponse, mayBeginAsResponse, parseAnswer, parseResponse, readResponseEvents,
} from './response-events.js'
export type { ReadEvent } from './read-event.js'
export { unreadFormats } from './unread-formats.js'
