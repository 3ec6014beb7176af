export { openRpcDocument } from './open-rpc-document.js'
export type { DescribedMethod, Fields, OpenRpcDocument, Protocol } from './open-rpc-document.js'
