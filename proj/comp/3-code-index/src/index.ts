export { CodeIndex, indexOf } from './code-index.js'
export { IndexView } from './index-view.js'
export type { DefinitionAt, IndexedFile, OccurrenceAt } from './index-view.js'
export type { IndexScope, SkippedFile, SourceFile, Unparsed } from './source-files.js'
