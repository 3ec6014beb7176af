export { openRpcDocument } from './open-rpc-document.js'
export type { DescribedMethod, OpenRpcDocument, Protocol } from './open-rpc-document.js'
