export { RPC } from './rpc-codes.js'
export { checkedParams } from './checked-params.js'
export { connect, DEFAULT_MAX_MESSAGE_BYTES } from './connection.js'
export type { Connection, ConnectionOptions } from './connection.js'
export { answerMessage, readMessage } from './single-message.js'
export { showId, writeMessage } from './exact-ids.js'
export type { AnswerMessage } from './single-message.js'
export type { IncomingMessage, IncomingRequest } from './message-check.js'
export type {
  CallContext, MessageId, Methods, NotificationHandler, Peer, Problem, RequestHandler, RequestOptions,
} from './rpc-messages.js'
export { RpcError, wireError } from './rpc-error.js'
export type { WireError } from './rpc-error.js'
