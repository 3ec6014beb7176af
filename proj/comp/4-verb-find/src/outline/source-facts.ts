import type { IndexedFile, IndexView } from '../../../3-code-index/src/index.js'
import { levelOf } from './outline-node.js'
import type { NameUse, RankedFile, RankedName } from './rank-definitions.js'

/** A definition by its place. */
export interface PlacedName extends RankedName {
  line: number
  column: number
}

export interface SourceFacts extends RankedFile<PlacedName> {
  file: IndexedFile
}

/** What the ranking needs of each file of a view, in the same order. */
export function factsOf(view: IndexView): SourceFacts[] {
  return view.files.map((file) => ({
    file, shown: file.shown, language: file.language, imports: view.importsIn(file),
    definitions: view.definitionsIn(file).filter(({ shared, name }) => shared && name.trim() !== '').map((one) => ({
      name: one.name, kind: one.kind, level: levelOf(one), line: one.nameLine, column: one.nameColumn,
    })),
  }))
}

/** The files of a view in which a name stands. */
export function usesIn(view: IndexView, name: string): NameUse[] {
  return view.filesNaming(name).map(({ file, definitions, occurrences }) => (
    { file: file.index, count: occurrences, isOwn: definitions > 0 }
  ))
}
