export { testExtension, type Finding } from './test-extension.js'
