export { LANGUAGES, newExtension, type Language } from './new-extension.js'
