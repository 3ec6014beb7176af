export * from './replay/index.js'
