export { testExtension } from './test-extension.js'
export type { Finding } from './test-extension.js'
