import type { AnyVerb } from '../../../0-contracts/src/index.js'
import type { LazyVerb } from '../../../1-registry/src/index.js'

/** What the file of a verb exports it as: `file_write` → `fileWrite`, `fs.readFile` → `fsReadFile`. */
type ExportName<Name extends string> =
  Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<ExportName<Tail>>}`
    : Name extends `${infer Head}.${infer Tail}` ? `${Head}${Capitalize<ExportName<Tail>>}`
      : Name

type Files<Names extends string> = { [Name in Names]: () => Promise<Record<ExportName<Name>, AnyVerb>> }

/** Verbs by name, each with the import of its file; a file that does not export its verb is an error of types. */
export function lazyVerbs<Names extends string>(files: Files<Names>): readonly LazyVerb[] {
  const names = Object.keys(files) as Names[]
  return names.map((name) => ({ name, load: async () => (await files[name]())[exportName(name)] }))
}

function exportName<Name extends string>(name: Name): ExportName<Name> {
  return name.replace(/[_.](.)/g, (_, first: string) => first.toUpperCase()) as ExportName<Name>
}
