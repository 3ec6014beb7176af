export { createMasker, type Masker } from './masker.js'
export { isSecretName } from './secret-names.js'
export { maskTokenShapes } from './token-shapes.js'
