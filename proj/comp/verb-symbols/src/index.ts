export { findSymbol } from './find-symbol.js'
export { getDefinition } from './get-definition.js'
