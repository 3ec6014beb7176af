/**
 * Puts files of packages into dist/: the grammars of tree-sitter, and valibot for modules of the user's own.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { brotliCompressSync, constants } from 'node:zlib'
import { minifySync } from 'rolldown/utils'

const require = createRequire(import.meta.url)
/** As the sources of proj/comp/2-syntax name them. */
const GRAMMARS = [
  'c-sharp', 'cpp', 'go', 'java', 'javascript', 'php', 'python', 'ruby', 'rust', 'tsx', 'typescript',
]
/** The best that takes less than a second for all of them. */
const QUALITY = 9

/** @returns the directories of the packages that they are of */
export function carryFiles(dist) {
  const place = join(dist, 'grammars')
  mkdirSync(place)
  const parser = dirname(require.resolve('@vscode/tree-sitter-wasm'))
  // The package of all other grammars has none for C.
  const c = dirname(require.resolve('tree-sitter-c/tree-sitter-c.wasm'))
  const files = [...GRAMMARS.map((name) => join(parser, `tree-sitter-${name}.wasm`)), join(c, 'tree-sitter-c.wasm')]
  for (const file of [join(parser, 'tree-sitter.wasm'), ...files]) compress(file, place)
  const source = readFileSync(join(parser, 'tree-sitter.js'), 'utf8')
  const { code } = minifySync('tree-sitter.cjs', source, { module: false })
  writeFileSync(join(place, 'tree-sitter.cjs'), code)
  const valibot = dirname(require.resolve('valibot'))
  mkdirSync(join(dist, 'packages'))
  compress(join(valibot, 'index.min.mjs'), join(dist, 'packages'), 'valibot.mjs')
  return [parser, c, valibot]
}

function compress(file, place, name = basename(file)) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_LGWIN]: 24 }
  writeFileSync(join(place, `${name}.br`), brotliCompressSync(readFileSync(file), { params }))
}
