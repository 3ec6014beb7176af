export * from './launcher/index.js'
export * from './identity/index.js'
