/**
 * Writes the code of the command and of the library, once for both: scripts in dist/chunks that load each other when
 * they are needed, a module around each entry of the library, and the launcher of the command.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { minifySync } from 'rolldown/utils'
import { bundle, isAbsent, moduleIdsOf, root } from './bundle.mjs'

/** Of the library, for Node. */
export const LIBRARY = ['index', 'extension', 'extension-host', 'openai', 'anthropic', 'ai-sdk', 'agent']
/** In Node the core is a part of the library, not a second copy of it. `design` is for the scripts here alone. */
const ENTRIES = [...LIBRARY, 'core', 'design', 'cli', 'parse-thread']

/** What every run loads, in as few files as can be: most of a short run is spent on opening files. */
const BASE = /\/proj\/comp\/0-[^/]+\/src\/(?!schemas|secrets\/)/
const READING = /\/proj\/comp\/(?:0-contracts|1-reading|1-registry)\/src\/(?!prompt\/)|\/node_modules\/(?:nesl-js|nesl)\//
const RUNNING_FOLDERS = [
  '1-reports/src', '2-files/src/(?:policy|store|paths)', '2-git/src', '3-transaction/src/(?:journal|transaction)',
  '5-executor/src/(?:executor|foreign|verbs)',
].join('|')
/**
 * Not what commands alone print of runs and verbs, nor what walks a tree for a hint; with the few fields that many
 * verbs share, of which a file of its own would be made.
 */
const RUNNING = new RegExp([
  `/proj/comp/(?:${RUNNING_FOLDERS})/(?!tool-|render-|decode-|previews/paths-)`,
  '/proj/comp/[\\w-]+/src/(?:\\w+/)?verb-kinds\\.ts$',
].join('|'))
/** What `hermes apply` shares with other commands, each of which would make a file of its own. */
const APPLYING_FILES = [
  '8-cli/src/io/(?:consent-options|interrupt|print-live|read-input)', '8-cli/src/setup/apply-options',
  '2-config/src/config/load-policy', '8-cli/src/setup/wanted-extensions',
  '2-files/src/store/decode-\\w+', '2-terminal/src/questions/(?!clipboard)[\\w-]+',
].join('|')
const APPLYING = new RegExp(`/proj/comp/(?:${APPLYING_FILES})\\.ts$`)
/** What the entry needs of them, so that `--version` loads none of those. */
const LINE_FILES = [
  '0-contracts/src/(?:checks|edit-formats|mapping-names|read-formats|setting-names)',
  '0-text/src/strings/(?:break-lines|flag-name|shell-word|wrap-words)',
  '8-cli/src/(?:arguments|exit-codes|io/output)',
].join('|')
const LINE = new RegExp(`/proj/comp/(?:${LINE_FILES})\\.ts$`)
/** Packages that every run needs, and as it starts. */
const AT_ONCE = /\/node_modules\/(?:nesl-js|nesl)\//
/** What a group takes, it takes with all that this needs and no group before it has. */
const GROUPS = [
  { name: 'line', test: LINE, priority: 3 },
  { name: 'base', test: BASE, priority: 3 },
  { name: 'reading', test: READING, priority: 2 },
  { name: 'running', test: RUNNING, priority: 1 },
  { name: 'applying', test: APPLYING, priority: 0 },
  // Before the packages that need it too: it is loaded for every command, they are not.
  { name: 'packages-execa', test: /\/node_modules\/execa\//, priority: 5 },
  { name: 'valibot', test: /\/node_modules\/valibot\//, priority: 5 },
  { name: (id) => (AT_ONCE.test(id) ? null : packageOf(id)), priority: 4, debugName: 'packages' },
]
/** Where the command was before: npx keeps its link to that for every clone in which it has run. */
const FORMER_COMMAND = `#!/usr/bin/env node
import { createRequire } from 'node:module'

createRequire(import.meta.url)('./cli.cjs').start()
`

/** Packages of more characters are packed: few runs need them, and all who install hermes would give them the room. */
const PACKED_FROM = 500_000
/** In the place of such a package, beside which its code lies. */
const UNPACKING = `const code = require('node:zlib').brotliDecompressSync(require('node:fs').readFileSync(__filename + '.br'))
const wrapped = '(function (exports, require, module, __filename, __dirname) {' + code.toString('latin1') + '\\n})'
new (require('node:vm').Script)(wrapped, { filename: __filename })
  .runInThisContext()(exports, require, module, __filename, __dirname)
`

/** @returns the ids of the modules it holds */
export async function writeCode(dist) {
  const chunks = await bundle({
    input: Object.fromEntries(ENTRIES.map((name) => [name, join(root, 'proj', 'src', `${name}.ts`)])),
    platform: 'node',
    external: [/^node:/],
    // ESM where a package has it: UMD builds require() by paths that no bundler follows.
    resolve: { mainFields: ['module', 'main'] },
    output: {
      dir: dist,
      format: 'cjs',
      codeSplitting: { groups: GROUPS },
      entryFileNames: '[name]-[hash].cjs',
      chunkFileNames: (chunk) => `chunks/${isLazy(chunk) ? 'packages/' : ''}${nameOf(chunk)}-[hash].cjs`,
      comments: false,
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    },
  })
  for (const chunk of chunks) writeChunk(dist, chunk)
  const entries = new Map(chunks.filter(({ isEntry }) => isEntry).map((chunk) => [chunk.name, chunk]))
  for (const name of [...LIBRARY, 'design']) writeModule(dist, `${name}.js`, entries.get(name))
  writeModule(dist, 'core-node.js', entries.get('core'))
  writeCommand(dist, entries.get('cli').fileName)
  // Under a name that does not change with its content: what starts it cannot know that.
  writeFileSync(join(dist, 'parse-thread.cjs'), `require('./${entries.get('parse-thread').fileName}')\n`)
  return moduleIdsOf(chunks)
}

function writeChunk(dist, chunk) {
  const { fileName, code, moduleIds } = chunk
  const small = isPackage(moduleIds) ? minifySync(fileName, code, { module: false }).code : code
  const written = inAscii(importing(small))
  const isPacked = isLazy(chunk) && written.length > PACKED_FROM
  if (isPacked) writeFileSync(join(dist, `${fileName}.br`), brotliCompressSync(written))
  writeFileSync(join(dist, fileName), isPacked ? UNPACKING : written)
}

/** Names are written out, so that bundlers and Node know what the module has before it runs. */
function writeModule(dist, file, { fileName, exports }) {
  writeFileSync(join(dist, file), `import code from './${fileName}'

export const { ${exports.join(', ')} } = code
`)
}

function writeCommand(dist, main) {
  const launcher = join(dist, 'cli.cjs')
  const filled = { '@MAIN@': main, '@BUILT_WITH@': `${process.version} ${process.platform} ${process.arch}` }
  const source = readFileSync(join(root, 'proj', 'src', 'launcher.cjs'), 'utf8')
  writeFileSync(launcher, source.replace(/@[A-Z_]+@/g, (name) => filled[name]))
  chmodSync(launcher, 0o755)
  writeFileSync(join(dist, 'cli.js'), FORMER_COMMAND, { mode: 0o755 })
  execFileSync(
    process.execPath, [join(root, 'proj', 'scripts', 'build', 'code-cache.cjs'), launcher],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
}

/** Parts of Node, and modules of the user's, are imported by the launcher, where it has compiled the code. */
function importing(code) {
  return code.replace(/\bawait import\((?=`|ownModule\))/g, 'await(require.import??(id=>import(id)))(')
}

/** Read byte for byte, without decoding. */
function inAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Every package gets a chunk, so that each loads only where it is needed. */
function packageOf(id) {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1].replace(/^@/, '').replace('/', '-') ?? null
}

/** A command's handler is `run.ts` of its folder. */
function nameOf({ name, facadeModuleId }) {
  return /\/commands\/([\w-]+)\/run\.ts$/.exec(facadeModuleId ?? '')?.[1] ?? name
}

/** The launcher loads packages at their first use; valibot is used by every chunk as it loads. */
function isLazy({ name, moduleIds }) {
  return name !== 'valibot' && isPackage(moduleIds)
}

function isPackage(moduleIds) {
  return moduleIds.length > 0 && moduleIds.every((id) => id.includes('/node_modules/') || isAbsent(id))
}
