export { CodeIndex, indexOf } from './code-index.js'
export type { PassageFile, PassageView } from './code-index.js'
export { IndexView } from './index-view.js'
export type { DefinitionAt, IndexedFile, OccurrenceAt } from './index-view.js'
export type { FoundFile, IndexScope, SkippedFile, SourceFile, Unparsed } from './found-files.js'
export { serveTexts } from './parse-threads.js'
export {
  CHUNK_NUMBERS, ChunkNumber, chunkOf, chunksIn, countOf, type Dictionary, type Field, fieldOf, FIELDS,
  type FilePassages, type FileTerms, hashOf, hashOfText, type IndexedChunk, type IndexedPassages, linesOf,
  PASSAGE_FIELDS, type PassageIndex, SHAPES, type Shape, termsOf, termsOfWord, textOf, wordsOf,
} from './passages/index.js'
