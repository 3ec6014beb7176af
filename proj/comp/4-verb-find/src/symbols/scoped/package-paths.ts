import { basename, dirname, join, relative } from 'node:path'
import { valueAt } from '../../../../0-text/src/index.js'
import type { GatedFiles } from '../typescript/gated-files.js'
import type { LanguageScopes } from './scope-table.js'
import type { Unit } from './scoped-unit.js'

/** Finds packages by the files that name them: `go.mod`, `Cargo.toml`. */
export class PackagePaths {
  /** Names of modules and crates, by directory. */
  readonly #named = new Map<string, string | undefined>()

  /** Found packages, by name and the directory that imports them. */
  readonly #found = new Map<string, string | undefined>()

  constructor(private readonly gated: GatedFiles, private readonly root: string) {}

  /** The module of a file, if its path determines it: Go's tests may be in a package of their own. */
  moduleOf(path: string, { modules }: LanguageScopes): string | undefined {
    if (modules === 'names') return undefined
    const directory = dirname(path)
    if (modules === 'directories') return path.endsWith('_test.go') ? undefined : directory
    const crate = this.crateOf(path)
    const source = relative(crate, path)
    if (crate === path || /^(?:lib|main)\.rs$/.test(source)) return crate
    return [crate, ...source.replace(/(?:\/mod)?\.rs$/, '').split('/')].join('.')
  }

  /** The top module of a Rust file's crate: its source directory, or the file itself if it is a program. */
  crateOf(path: string): string {
    const top = this.#above(path, 'Cargo.toml')
    if (top === undefined) return nearestSource(path, this.root)
    const [first = '', second = '', third] = relative(top, path).split('/')
    const isProgram = third === undefined && /^(?:tests|examples|benches)$/.test(first) && second.endsWith('.rs')
    if (isProgram || /^(?:build\.rs|src\/bin\/[^/]+\.rs)$/.test(relative(top, path))) return path
    return first === 'src' ? join(top, 'src') : join(top, first)
  }

  /** The files that may hold a module of a crate. */
  filesOf(key: string, crate: string): string[] {
    if (crate.endsWith('.rs')) return key === crate ? [crate] : []
    const parts = key.slice(crate.length + 1).split('.').filter((part) => part !== '')
    if (parts.length === 0) return [join(crate, 'lib.rs'), join(crate, 'main.rs')]
    return [`${join(crate, ...parts)}.rs`, join(crate, ...parts, 'mod.rs')]
  }

  /** The directory of a Go package, or the top module of a crate, within the root; of several the nearest. */
  packageAt(
    path: string, { path: from, table: { modules } }: Unit, directories: readonly string[],
  ): string | undefined {
    const key = `${modules} ${path} ${dirname(from)}`
    return valueAt(this.#found, key, () => this.#find(path, from, modules, directories))
  }

  #find(
    path: string, from: string, modules: LanguageScopes['modules'], directories: readonly string[],
  ): string | undefined {
    const file = modules === 'directories' ? 'go.mod' : 'Cargo.toml'
    for (const directory of nearestFirst(directories, from)) {
      const name = this.#nameIn(directory, file)
      if (name === undefined) continue
      if (file === 'Cargo.toml' && name.replaceAll('-', '_') === path) return join(directory, 'src')
      if (file !== 'go.mod' || (path !== name && !path.startsWith(`${name}/`))) continue
      const place = join(directory, path.slice(name.length))
      if (this.gated.directoryExists(place)) return place
    }
    return undefined
  }

  #nameIn(directory: string, file: string): string | undefined {
    const path = join(directory, file)
    return valueAt(this.#named, path, () => {
      const text = this.gated.fileExists(path) ? this.gated.readFile(path) : undefined
      const pattern = file === 'go.mod' ? /^module\s+"?([^\s"]+)/m : /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/ms
      return text === undefined ? undefined : pattern.exec(text)?.[1]
    })
  }

  #above(path: string, file: string): string | undefined {
    for (let around = dirname(path); ; around = dirname(around)) {
      if (this.gated.fileExists(join(around, file))) return around
      if (around === this.root || around === dirname(around)) return undefined
    }
  }
}

/** Sorts directories by how much of their path they share with a file. */
function nearestFirst(directories: readonly string[], path: string): string[] {
  const parts = path.split('/')
  const shared = (directory: string): number => {
    const others = directory.split('/')
    const end = others.findIndex((part, index) => part !== parts[index])
    return end === -1 ? others.length : end
  }
  return directories.map((directory) => ({ directory, shared: shared(directory) }))
    .sort((a, b) => b.shared - a.shared).map(({ directory }) => directory)
}

/** Without `Cargo.toml`: the nearest directory named `src`, or the root. */
function nearestSource(path: string, root: string): string {
  for (let around = dirname(path); around.startsWith(`${root}/`); around = dirname(around)) {
    if (basename(around) === 'src') return around
  }
  return root
}
