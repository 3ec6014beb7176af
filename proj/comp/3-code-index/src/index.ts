export { CodeIndex, indexOf } from './code-index.js'
export { IndexView } from './index-view.js'
export type { DefinitionAt, IndexedFile, OccurrenceAt } from './index-view.js'
export type { IndexScope, SkippedFile, SourceFile, Unparsed } from './source-files.js'
export { serveTexts } from './parse-threads.js'
export { parserFor } from './parser-for.js'
export { SealedFiles } from './sealed-files.js'
export type { TextReader } from './parse-text.js'
export {
  CHUNK_NUMBERS, ChunkNumber, chunkOf, chunksIn, countOf, type Field, fieldOf, FIELDS, type FilePassages,
  type FileTerms, hashOf, type IndexedChunk, isSound, linesOf, PASSAGE_FIELDS, SHAPES, type Shape, termsOf,
  termsOfWord, textOf, type TextPassages, wordsOf,
} from './passages/index.js'
