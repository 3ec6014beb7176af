export * from './json-rpc/index.js'
export * from './open-rpc/index.js'
export * from './loopback-http/index.js'
