export { BlockReader } from './block-reader.js'
export type { ReadEvent } from './block-reader.js'
export { parse, parseChunks, readEvents } from './parse.js'
