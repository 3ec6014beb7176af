import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import grammarPackages from './grammar-packages.json' with { type: 'json' }
import { optimizedLater } from './optimized-later.js'

const packages = createRequire(import.meta.url)
const GRAMMARS = new Map<string, string>(Object.entries(grammarPackages))
const decompress = promisify(brotliDecompress)
const PARSER = '@vscode/tree-sitter-wasm'

export type TreeSitter = typeof import('@vscode/tree-sitter-wasm')

/** `Parser.init` hands what it gets on to Emscripten, whose module needs no file where it is given the bytes. */
type Init = (settings: { wasmBinary: Uint8Array }) => Promise<void>

/**
 * An instance of tree-sitter with a memory of its own: its code makes one each time it is loaded.
 *
 * @throws Node's `MODULE_NOT_FOUND` and `ENOENT` where it is not there
 */
export async function newTreeSitter(): Promise<TreeSitter> {
  const code = carried('tree-sitter.cjs') ?? packages.resolve(PARSER)
  delete packages.cache[code]
  const treeSitter = packages(code) as TreeSitter
  const init = treeSitter.Parser.init.bind(treeSitter.Parser) as unknown as Init
  const core = 'tree-sitter.wasm'
  const wasmBinary = await readWasm(core, () => join(dirname(packages.resolve(PARSER)), core))
  await optimizedLater(async () => init({ wasmBinary }))
  return treeSitter
}

/**
 * A grammar, as WebAssembly.
 *
 * @param name as in grammar-packages.json
 * @throws Node's `ENOENT` or `MODULE_NOT_FOUND` where it is not there
 */
export async function readGrammar(name: string): Promise<Uint8Array> {
  return readWasm(`tree-sitter-${name}.wasm`, () => {
    return packages.resolve(GRAMMARS.get(name) ?? name)
  })
}

/** What the build carries, compressed; seen from the sources, the file of a package. */
async function readWasm(file: string, packaged: () => string): Promise<Uint8Array> {
  const compressed = carried(`${file}.br`)
  return compressed === undefined ? readFile(packaged()) : decompress(await readFile(compressed))
}

/** Where the build puts it: seen from an entry, and from a chunk. */
function carried(file: string): string | undefined {
  return ['./grammars/', '../grammars/'].map((path) => fileURLToPath(new URL(path + file, import.meta.url)))
    .find(existsSync)
}
