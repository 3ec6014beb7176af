import { dirname, join } from 'node:path'
import type { ApprovedPath } from '../../../../0-contracts/src/index.js'
import { valueAt } from '../../../../0-text/src/index.js'
import type { SyntaxParser } from '../../../../2-syntax/src/index.js'
import type { GatedFiles } from '../typescript/gated-files.js'
import { DirectoryListings } from '../typescript/directory-listings.js'
import { readModule } from './python-module.js'
import type { PythonModule } from './python-scopes.js'
import type { Target } from './python-values.js'

interface Read {
  stamp: string
  module: PythonModule | undefined
  chars: number
}

const PACKAGE = '__init__.py'
/** Files that mark a directory from which a project imports its own code. */
const PROJECT_FILES = [
  'pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'manage.py', 'conftest.py', 'pytest.ini', 'Pipfile',
]

/**
 * Finds the modules of a root by name, where Python would look: in the directory of the importing file's topmost
 * package, in the root, and in its `src` and `lib`; for a file outside of packages, in its own directory. Projects
 * between the file and the root, with tests beside their code (`backend/tests`, `backend/app`), are searched too: for
 * packages, and for modules where a file marks the project. Anything else is external.
 */
export class PythonModules {
  readonly #modules = new Map<string, Read>()
  readonly #listings = new DirectoryListings()
  readonly #kinds = new Map<string, 'file' | 'directory' | undefined>()
  readonly #found = new Map<string, Target | undefined>()

  constructor(private gated: GatedFiles, private readonly root: string, private readonly parse: SyntaxParser) {}

  /** A module; `undefined` if it cannot be read or parsed. */
  module(path: ApprovedPath): PythonModule | undefined {
    return valueAt(this.#modules, path, () => {
      const stamp = this.gated.provenStampOf(path)
      const text = this.gated.readFile(path)
      const tree = text === undefined ? undefined : this.parse(text)
      return { stamp, module: tree && readModule(path, tree), chars: text?.length ?? 0 }
    }).module
  }

  /**
   * Called at the beginning of each call. @returns whether anything changed, so that everything must be evaluated again
   */
  begin(gated: GatedFiles): boolean {
    this.gated = gated
    let changed = this.#listings.haveChanged(gated) || !gated.isOnDisk
    for (const [path, { stamp }] of this.#modules) {
      if (gated.isOnDisk && gated.provenStampOf(path) === stamp) continue
      this.#modules.delete(path)
      changed = true
    }
    if (changed) {
      this.#kinds.clear()
      this.#found.clear()
    }
    return changed
  }

  /** Total size of the texts read, in UTF-16 units. */
  get chars(): number {
    return [...this.#modules.values()].reduce((sum, { chars }) => sum + chars, 0)
  }

  /** @param from the importing module; the name has leading dots if relative to it */
  find(name: string, from: PythonModule): Target | undefined {
    return valueAt(this.#found, `${name} ${dirname(from.path)}`, () => this.#find(name, from))
  }

  #find(name: string, from: PythonModule): Target | undefined {
    const [dots = ''] = /^\.*/.exec(name) ?? []
    const parts = name.slice(dots.length).split('.').filter((part) => part !== '')
    if (dots !== '') {
      let start = dirname(from.path)
      for (let up = 1; up < dots.length; up++) start = dirname(start)
      return this.#below(start, parts)
    }
    const starts = this.#startsFor(from.path)
    for (const start of [...starts, ...this.#projectStarts(from.path, parts)]) {
      const target = this.#below(start, parts)
      // Prefer anything else to a directory without modules of its own, which an import rarely means.
      if (target && target.kind !== 'directory') return target
    }
    const isOwn = starts.some((start) => this.#below(start, parts.slice(0, 1)) !== undefined)
    return isOwn ? starts.map((start) => this.#below(start, parts)).find((target) => target)
      : { kind: 'external', module: name, name: parts.at(-1) ?? name }
  }

  #startsFor(path: string): string[] {
    let top = dirname(path)
    while (this.#kindOf(join(top, PACKAGE)) === 'file' && top !== dirname(top)) top = dirname(top)
    return [...new Set([top, this.root, join(this.root, 'src'), join(this.root, 'lib')])]
  }

  /** Project directories around a file, below the root; nearest first. */
  #projectStarts(path: string, [first = '']: readonly string[]): string[] {
    const starts: string[] = []
    for (let around = dirname(dirname(path)); around.startsWith(`${this.root}/`); around = dirname(around)) {
      const isProject = PROJECT_FILES.some((name) => this.#kindOf(join(around, name)) === 'file')
      for (const start of [around, join(around, 'src'), join(around, 'lib')]) {
        if (isProject || this.#kindOf(join(start, first, PACKAGE)) === 'file') starts.push(start)
      }
    }
    return starts
  }

  #below(start: string, parts: readonly string[]): Target | undefined {
    let directory = start
    for (const part of parts.slice(0, -1)) {
      directory = join(directory, part)
      if (this.#kindOf(directory) !== 'directory') return undefined
    }
    const last = parts.at(-1)
    return last === undefined ? this.#package(directory) : this.within(directory, last)
  }

  /** A module within a package or directory. */
  within(directory: string, name: string): Target | undefined {
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) return undefined
    const path = join(directory, name)
    const target = this.#package(path) ?? this.#file(`${path}.py`) ?? this.#file(`${path}.pyi`)
    return target ?? (this.#kindOf(path) === 'directory' ? { kind: 'directory', path } : undefined)
  }

  #package(directory: string): Target | undefined {
    return this.#file(join(directory, PACKAGE)) ?? this.#file(join(directory, `${PACKAGE}i`))
  }

  #file(path: string): Target | undefined {
    if (this.#kindOf(path) !== 'file') return undefined
    const approved = this.gated.approve(path)
    const module = approved && this.module(approved)
    return module && { kind: 'module', module }
  }

  #kindOf(path: string): 'file' | 'directory' | undefined {
    return valueAt(this.#kinds, path, () => {
      if (this.gated.fileExists(path)) return 'file'
      if (this.gated.directoryExists(path)) return 'directory'
      // A file created there later may be what the name means.
      this.#listings.add(dirname(path), this.gated)
      return undefined
    })
  }
}
