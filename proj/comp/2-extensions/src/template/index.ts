export { LANGUAGES, newExtension } from './new-extension.js'
export type { Language } from './new-extension.js'
