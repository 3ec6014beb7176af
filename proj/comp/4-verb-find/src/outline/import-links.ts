import { posix } from 'node:path'
import type { Import, LanguageId } from '../../../2-syntax/src/index.js'

/** Indexes of the files that define a name; and of those in which it is a member of a class. */
export interface Definers {
  all: readonly number[]
  members: readonly number[]
}

/** Languages in which a name of another file needs an import, except for members. */
const IMPORTS_ALL: readonly LanguageId[] = ['typescript', 'tsx', 'javascript', 'python', 'rust']

/** Tells which files a name may refer to, by the imports of the file that uses it. */
export class ImportLinks {
  readonly #places: readonly Place[]
  readonly #imports: readonly FileImports[]

  constructor(files: readonly { shown: string; language: LanguageId; imports: readonly Import[] }[]) {
    this.#places = files.map(({ shown }) => placeOf(shown))
    this.#imports = files.map(({ imports, language }) => importsOf(imports, IMPORTS_ALL.includes(language)))
  }

  folderOf(file: number): string {
    return this.#places[file]?.folder ?? ''
  }

  /**
   * Which of the files that define a name the using file refers to, and how certain that is, from 0 to 1. None where it
   * imports the name from outside.
   */
  targets(
    user: number, name: string, { all: definers, members }: Definers,
  ): { files: readonly number[]; trust: number } {
    const { bound, words, importsAll } = this.#imports[user] ?? NOTHING
    const from = bound.get(name)
    if (from) {
      const exact = definers.filter((file) => this.#isNamed(file, new Set([from.word ?? ''])))
      if (exact.length > 0) return { files: exact, trust: 1 }
      // Another file may re-export it: `index.ts`, `__init__.py`.
      const behind = from.isName ? definers.filter((file) => this.#isBelow(file, from.path)) : []
      if (behind.length > 0) return { files: behind, trust: 1 }
      return from.isName && from.isRelative ? { files: definers, trust: 0.3 } : { files: [], trust: 0 }
    }
    const imported = definers.filter((file) => this.#isNamed(file, words))
    if (imported.length > 0) return { files: imported, trust: 1 }
    const folder = this.folderOf(user)
    const visible = importsAll ? members : definers
    const near = visible.filter((file) => this.#places[file]?.folder === folder)
    return near.length > 0 ? { files: near, trust: 0.3 } : { files: visible, trust: 0.05 }
  }

  #isNamed(file: number, words: ReadonlySet<string>): boolean {
    return this.#places[file]?.modules.some((word) => words.has(word)) ?? false
  }

  /** Whether the folders of a file include all words of a module's path. */
  #isBelow(file: number, words: readonly string[]): boolean {
    const folders = this.#places[file]?.folders
    return words.length > 0 && folders !== undefined && words.every((word) => folders.has(word))
  }
}

interface Place {
  folder: string
  folders: ReadonlySet<string>
  /** Words by which an import can refer to the file: its name without extension, and its folder's. */
  modules: readonly string[]
}

/** Words of a module's path that do not identify a file. */
const INDEX = /^(?:index|mod|src|__init__)$/

function placeOf(shown: string): Place {
  const { name, dir } = posix.parse(shown)
  const stem = name.replace(/\.d$/, '')
  const folder = posix.basename(dir)
  // In Go and Java a package is a folder.
  return { folder: dir, folders: new Set(dir.split('/')), modules: [stem, folder].filter((word) => word !== '') }
}

interface Bound {
  /** The last word of the module, which may be its file's name. */
  word?: string
  /** All words of the module's path. */
  path: readonly string[]
  /** Whether a name is imported from the module, rather than the module itself. */
  isName: boolean
  isRelative: boolean
}

interface FileImports {
  /** By local name. */
  bound: ReadonlyMap<string, Bound>
  /** Words of all imports. */
  words: ReadonlySet<string>
  importsAll: boolean
}

const NOTHING: FileImports = { bound: new Map(), words: new Set(), importsAll: false }

function importsOf(imports: readonly Import[], importsAll: boolean): FileImports {
  const bound = new Map<string, Bound>()
  const words = new Set<string>()
  for (const { module, name, alias } of imports) {
    const path = wordsOf(module).filter((word) => !INDEX.test(word))
    const last = path.at(-1)
    if (last !== undefined) words.add(last)
    if (name !== undefined && name !== '*') words.add(name)
    const called = alias ?? name ?? last
    if (called === undefined || called === '*') continue
    const isRelative = module.startsWith('.')
    // `from . import events`: the name may be a file's.
    const word = last ?? name
    bound.set(called, { ...(word !== undefined && { word }), path, isName: name !== undefined, isRelative })
  }
  return { bound, words, importsAll }
}

/**
 * The words of a module's path, without extension: TypeScript imports `./a.js` for a.ts; C includes `a.h`, which goes
 * with a.c.
 */
function wordsOf(module: string): string[] {
  return module.replace(/\.(?:[cm]?[jt]sx?|h|hh|hpp|hxx|rb|php)$/, '').match(/[\p{L}\p{N}_$-]+/gu) ?? []
}
