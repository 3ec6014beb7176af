export {
  answerMessage, checkedParams, connect, DEFAULT_MAX_MESSAGE_BYTES, readMessage, RPC, RpcError, showId, writeMessage,
  type AnswerMessage, type CallContext, type Connection, type IncomingMessage, type IncomingRequest, type MessageId,
  type Methods, type Peer, type Problem, type RequestHandler, type RequestOptions, type WireError,
} from './json-rpc/index.js'
export { openRpcDocument } from './open-rpc/index.js'
export type { DescribedMethod, Fields, OpenRpcDocument, Protocol } from './open-rpc/index.js'
export { createToken, readBody, readListenAddress, refuse, serveHttp, serveLoopback } from './loopback-http/index.js'
export type { HttpServer, ListenAddress, LoopbackCall } from './loopback-http/index.js'
