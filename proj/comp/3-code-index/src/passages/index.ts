export { linesOf } from './chunk-lines.js'
export {
  CHUNK_NUMBERS, ChunkNumber, chunkOf, countOf, fieldOf, type FileTerms, isSound, packPosting, PASSAGE_FIELDS,
} from './file-terms.js'
export { type Field, FIELDS } from './passage-fields.js'
export { splitWord, wordsOf } from './split-words.js'
export { stem } from './stem.js'
export { termsOf, termsOfWord } from './terms.js'
export {
  type FilePassages, hashOf, type IndexedChunk, passagesIn, plainPassages, type PassageSource, SHAPES, type Shape,
  textOf, type TextPassages, chunksIn,
} from './text-passages.js'
