export * from './registry/index.js'
export * from './prompt/index.js'
