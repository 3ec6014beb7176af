/**
 * Puts files of packages into dist/: the grammars of tree-sitter, ast-grep, and valibot for modules of the user's own.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { minifySync } from 'rolldown/utils'
import { root } from './bundle.mjs'

const brotli = promisify(brotliCompress)
const require = createRequire(import.meta.url)
/** Of each grammar, the file of a package. */
const GRAMMARS = JSON.parse(
  readFileSync(join(root, 'proj', 'comp', '2-syntax', 'src', 'grammar-packages.json'), 'utf8'),
)
/** Brotli's best that takes few seconds for all of them, and its best, a tenth smaller, which takes half a minute. */
const QUALITY = { fast: 9, small: 11 }

/**
 * @param isPacked for a package that is published, where size counts more than the time of the build
 * @returns the directories of the packages that they are of
 */
export async function carryFiles(dist, isPacked) {
  const place = join(dist, 'grammars')
  mkdirSync(place)
  const parser = dirname(require.resolve('@vscode/tree-sitter-wasm'))
  const files = Object.values(GRAMMARS).map((file) => require.resolve(file))
  const quality = isPacked ? QUALITY.small : QUALITY.fast
  const source = readFileSync(join(parser, 'tree-sitter.js'), 'utf8')
  const { code } = minifySync('tree-sitter.cjs', source, { module: false })
  writeFileSync(join(place, 'tree-sitter.cjs'), code)
  const astGrep = dirname(require.resolve('@ast-grep/wasm'))
  const valibot = dirname(require.resolve('valibot'))
  const packages = join(dist, 'packages')
  mkdirSync(packages)
  // All at once, in the threads of Node.
  await Promise.all([
    ...[join(parser, 'tree-sitter.wasm'), ...files].map((file) => compress(file, join(place, basename(file)), quality)),
    compress(join(astGrep, 'wasm_bg.js'), join(place, 'ast-grep_bg.js'), quality),
    compress(join(astGrep, 'wasm_bg.wasm'), join(place, 'ast-grep_bg.wasm'), quality),
    compress(join(valibot, 'index.min.mjs'), join(packages, 'valibot.mjs'), quality),
  ])
  return [parser, ...files, astGrep, valibot]
}

async function compress(file, place, quality) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: 24 }
  writeFileSync(`${place}.br`, await brotli(readFileSync(file), { params }))
}
