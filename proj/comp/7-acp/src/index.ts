export { serveAcp } from './serve-acp.js'
export type { AcpSetup, OpenedPlace, SessionPlace } from './acp-setup.js'
