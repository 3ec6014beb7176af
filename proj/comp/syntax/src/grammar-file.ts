import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = createRequire(import.meta.url)
const PARSER = '@vscode/tree-sitter-wasm'

/** Where a build puts the grammars it carries: seen from an entry, and from a chunk. */
const CARRIED = ['./grammars/', '../grammars/']

export type TreeSitter = typeof import('@vscode/tree-sitter-wasm')

/**
 * An instance of tree-sitter with a memory of its own: the package makes one each time it is loaded.
 *
 * @throws Node's `MODULE_NOT_FOUND` where it is not installed
 */
export async function newTreeSitter(): Promise<TreeSitter> {
  delete packages.cache[packages.resolve(PARSER)]
  const treeSitter = packages(PARSER) as TreeSitter
  await treeSitter.Parser.init()
  return treeSitter
}

/**
 * The grammar of a language, as WebAssembly: the package's own file, or what the build carries.
 *
 * @throws Node's `ENOENT` or `MODULE_NOT_FOUND` where it is not installed
 */
export async function readGrammar(name: string): Promise<Uint8Array> {
  const file = `tree-sitter-${name}.wasm`
  const carried = CARRIED.map((path) => fileURLToPath(new URL(path + file, import.meta.url))).find(existsSync)
  return readFile(carried ?? packagedFile(name, file))
}

/** The package of all grammars has none for C, which the sources take from a package of its own. */
function packagedFile(name: string, file: string): string {
  return name === 'c' ? packages.resolve(`tree-sitter-c/${file}`) : join(dirname(packages.resolve(PARSER)), file)
}
