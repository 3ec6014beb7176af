import { dirname } from 'node:path'
import { valueAt } from '../../../../0-text/src/index.js'
import type { LanguageId, SyntaxParser } from '../../../../2-syntax/src/index.js'
import type { DefinitionAt, IndexedFile, IndexView } from '../../../../3-code-index/src/index.js'
import type { GatedFiles } from '../typescript/gated-files.js'
import { scopesOf } from './language-scopes.js'
import { PackagePaths } from './package-paths.js'
import { readUnit } from './read-unit.js'
import type { LanguageScopes } from './scope-table.js'
import type { Declared, Scope, Unit } from './scoped-unit.js'

/** A file that was read; valid while its stamp is unchanged. */
export interface ReadUnit {
  stamp: string
  unit: Unit | undefined
  chars: number
}

interface Parts {
  view: IndexView
  gated: GatedFiles
  root: string
  parsers: ReadonlyMap<LanguageId, SyntaxParser>
  /** Files read before; newly read ones are added. */
  read: Map<string, ReadUnit>
}

/** The files of an index as scopes; each file is read when first needed. */
export class IndexedUnits {
  readonly #paths: PackagePaths
  readonly #checked = new Set<string>()
  readonly #directories = new Map<LanguageId, readonly string[]>()

  constructor(private readonly parts: Parts) {
    this.#paths = new PackagePaths(parts.gated, parts.root)
  }

  readonly unit = (path: string): Unit | undefined => {
    const { read, gated, view } = this.parts
    const known = read.get(path)
    if (known && (this.#checked.has(path) || gated.provenStampOf(path) === known.stamp)) {
      this.#checked.add(path)
      return known.unit
    }
    const file = view.fileAt(path)
    const table = file && scopesOf(file.language)
    if (!file || !table) return undefined
    const stamp = gated.provenStampOf(path)
    const text = gated.readFile(path)
    const unit = text === undefined ? undefined : this.#read(file, table, text)
    read.set(path, { stamp, unit, chars: text?.length ?? 0 })
    this.#checked.add(path)
    return unit
  }

  #read(file: IndexedFile, table: LanguageScopes, text: string): Unit | undefined {
    const { path, language } = file
    const tree = this.parts.parsers.get(language)?.(text)
    const definitions = this.parts.view.definitionsIn(file)
    return tree && readUnit({ path, language, table, module: this.#paths.moduleOf(path, table), tree, definitions })
  }

  /** Definitions of a name in files of a language that others can see; those in an owner of that name. */
  readonly named = (name: string, owner: string, from: Unit): readonly Declared[] => (
    this.parts.view.definitionsNamed(name).flatMap((each) => {
      if (!this.#mayBeIn(each, owner, from)) return []
      const { nameLine, nameColumn } = each.definition
      return this.unit(each.file.path)?.declared.get(`${nameLine}:${nameColumn}`) ?? []
    })
  )

  /** Whether a definition may be in an owner, judged without reading the file. */
  #mayBeIn({ file, definition }: DefinitionAt, owner: string, { language, table }: Unit): boolean {
    const { shared, parameter, container } = definition
    if (file.language !== language || !shared || parameter) return false
    if (container !== undefined) {
      const last = container.slice(container.lastIndexOf('.') + 1)
      if (owner !== last && !owner.endsWith(`.${last}`)) return false
    }
    const module = this.#paths.moduleOf(file.path, table)
    if (module === undefined || container !== undefined) return true
    return owner === module
  }

  /** The package that an import path means, for languages whose packages are directories or crates. */
  readonly packageAt = (path: string, from: Unit): string | undefined => (
    this.#paths.packageAt(path, from, this.#directoriesOf(from.language))
  )

  /** The top module of a file's crate. */
  readonly crateOf = ({ path }: Unit): string => this.#paths.crateOf(path)

  /** The scopes of a crate's module, in its own files and in others. */
  readonly scopesOf = (key: string, from: Unit): readonly Scope[] => {
    const crate = this.#crateOfKey(key, from)
    const units = this.#paths.filesOf(key, crate).flatMap((path) => this.unit(path) ?? [])
    const inside: Scope[] = units.map(({ scope }) => scope)
    const dot = key.lastIndexOf('.')
    if (inside.length > 0 || key === crate || dot === -1) return inside
    const name = key.slice(dot + 1)
    const around = this.scopesOf(key.slice(0, dot), from)
    return around.flatMap(({ names }) => names.get(name) ?? []).flatMap(({ body }) => body ?? [])
  }

  #crateOfKey(key: string, from: Unit): string {
    const own = this.crateOf(from)
    if (key === own || key.startsWith(`${own}.`)) return own
    const crates = this.#directoriesOf(from.language).filter((each) => key === each || key.startsWith(`${each}.`))
    return crates.toSorted((a, b) => b.length - a.length)[0] ?? own
  }

  /** Whether the root has files where those of a package would be. */
  readonly hasPackage = (path: readonly string[], { language }: Unit): boolean => {
    const end = `/${path.join('/')}`
    return this.#directoriesOf(language).some((directory) => directory.endsWith(end))
  }

  /** The directories of a language's files, and those above them. */
  #directoriesOf(language: LanguageId): readonly string[] {
    return valueAt(this.#directories, language, () => {
      const { view, root } = this.parts
      const directories = new Set([root])
      for (const file of view.files) {
        if (file.language !== language) continue
        for (let each = dirname(file.path); !directories.has(each) && each.startsWith(root); each = dirname(each)) {
          directories.add(each)
        }
      }
      return [...directories]
    })
  }
}
