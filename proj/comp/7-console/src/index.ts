export * from './chat/index.js'
export { offeredFormats } from './offers/offered-formats.js'
export { markdownRows } from './markdown/index.js'
export { InteractiveSession, type OfferedFormats, type RunReport } from './interactive/index.js'
