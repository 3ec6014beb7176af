export { CodeIndex, indexOf, type PassageFile, type PassageView } from './code-index.js'
export { IndexView, type DefinitionAt, type IndexedFile, type OccurrenceAt } from './index-view.js'
export type { FoundFile, IndexScope, SkippedFile, SourceFile, Unparsed } from './found-files.js'
export { serveTexts } from './parse-threads.js'
export {
  CHUNK_NUMBERS, ChunkNumber, chunkOf, chunksIn, countOf, type Dictionary, type Field, fieldOf, FIELDS,
  type FilePassages, type FileTerms, hashOf, hashOfText, type IndexedChunk, type IndexedPassages, linesOf,
  PASSAGE_FIELDS, type PassageIndex, SHAPES, type Shape, termsOf, termsOfWord, textOf, wordsOf,
} from './passages/index.js'
