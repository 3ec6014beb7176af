export { createToken } from './bearer-token.js'
export { readListenAddress, type ListenAddress } from './listen-address.js'
export { serveLoopback, type LoopbackCall, type LoopbackOptions, type LoopbackServer } from './serve-loopback.js'
export { refuse } from './refuse.js'
