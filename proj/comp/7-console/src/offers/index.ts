export { offeredFormats } from './offered-formats.js'
