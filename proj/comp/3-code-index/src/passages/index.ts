export { linesOf } from './chunk.js'
export { Dictionary, numberTerms } from './dictionary.js'
export {
  CHUNK_NUMBERS, ChunkNumber, chunkOf, countOf, fieldOf, type FileTerms, packPosting, PASSAGE_FIELDS,
} from './file-terms.js'
export { type Field, FIELDS } from './passage-fields.js'
export { decodePassages, encodePassages, type IndexedPassages, type PassageIndex } from './passage-index.js'
export { splitWord, wordsOf } from './split-words.js'
export { stem } from './stem.js'
export { termsOf, termsOfWord } from './terms.js'
export {
  chunksIn, type FilePassages, hashOf, hashOfText, type IndexedChunk, passagesIn, SHAPES, type Shape, textOf,
  type TextPassages,
} from './text-passages.js'
