export * from './agent/index.js'
export * from './adapters/index.js'
