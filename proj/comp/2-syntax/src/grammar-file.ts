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
const PARSER = '@vscode/tree-sitter-wasm'
const CORE = 'tree-sitter.wasm'
const AST_GREP = '@ast-grep/wasm'

export type TreeSitter = typeof import('@vscode/tree-sitter-wasm')

/** `Parser.init` passes its argument to Emscripten, whose module needs no file if it is given the bytes. */
type Init = (settings: { wasmBinary: Uint8Array }) => Promise<void>

/**
 * A new instance of tree-sitter with its own memory: loading the code creates one.
 *
 * @throws Node's `MODULE_NOT_FOUND` and `ENOENT` where it is missing
 */
export async function newTreeSitter(): Promise<TreeSitter> {
  const code = carried('tree-sitter.cjs') ?? packages.resolve(PARSER)
  delete packages.cache[code]
  const treeSitter = packages(code) as TreeSitter
  const init = treeSitter.Parser.init.bind(treeSitter.Parser) as unknown as Init
  const wasmBinary = await readCore()
  await optimizedLater(async () => init({ wasmBinary }))
  return treeSitter
}

function readCore(): Promise<Uint8Array> {
  return readCarried(CORE, () => join(dirname(packages.resolve(PARSER)), CORE))
}

/** Programs for the thread of structural search: source texts, and the WebAssembly that they run. */
export interface StructuralPrograms {
  /** A CommonJS module. */
  treeSitter: string
  treeSitterCore: Uint8Array
  /** An ES module. */
  astGrep: string
  astGrepCore: Uint8Array
}

/** @throws Node's `MODULE_NOT_FOUND` and `ENOENT` where one is missing */
export async function readStructuralPrograms(): Promise<StructuralPrograms> {
  const ofAstGrep = (file: string) => readCarried(
    file.replace('wasm', 'ast-grep'), () => join(dirname(packages.resolve(AST_GREP)), file),
  )
  const [treeSitter, treeSitterCore, astGrep, astGrepCore] = await Promise.all([
    readFile(carried('tree-sitter.cjs') ?? packages.resolve(PARSER), 'utf8'), readCore(),
    ofAstGrep('wasm_bg.js'), ofAstGrep('wasm_bg.wasm'),
  ])
  return { treeSitter, treeSitterCore, astGrep: Buffer.from(astGrep).toString(), astGrepCore }
}

/**
 * The WebAssembly of a grammar.
 *
 * @param name as in grammar-packages.json
 * @throws Node's `ENOENT` or `MODULE_NOT_FOUND` where it is missing
 */
export async function readGrammar(name: string): Promise<Uint8Array> {
  return readCarried(`tree-sitter-${name}.wasm`, () => packages.resolve(GRAMMARS.get(name) ?? name))
}

/** A compressed file of the build, or when running from sources, the file of a package. */
async function readCarried(file: string, packaged: () => string): Promise<Uint8Array> {
  const compressed = carried(`${file}.br`)
  return compressed === undefined ? readFile(packaged()) : promisify(brotliDecompress)(await readFile(compressed))
}

/** Path of a file of the build, relative to an entry or to a chunk. */
function carried(file: string): string | undefined {
  return ['./grammars/', '../grammars/'].map((path) => fileURLToPath(new URL(path + file, import.meta.url)))
    .find(existsSync)
}
