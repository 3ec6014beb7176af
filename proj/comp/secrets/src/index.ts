export { createMasker } from './masker.js'
export type { Masker } from './masker.js'
export { isSecretName } from './secret-names.js'
