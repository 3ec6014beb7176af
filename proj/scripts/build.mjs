/** Builds the package into dist/: bundled ESM with lazy chunks, and declarations in dist/types. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Made beside the old one and put in its place when it is whole: it may be in use, or be built twice at once. */
const dist = mkdtempSync(join(root, 'node_modules', '.hermes-build-'))
process.on('exit', () => rmSync(dist, { recursive: true, force: true }))
const ENTRIES = ['index', 'core', 'design', 'extension', 'openai', 'anthropic', 'ai-sdk', 'agent']
/** Loaded on demand from node_modules: they would not get smaller by bundling. */
const EXTERNAL = [
  /^node:/, 'execa', '@vscode/ripgrep', 'systeminformation', 'typescript', /^bullmq/, 'ioredis',
  /^@modelcontextprotocol\//,
  'clipboardy', 'openai', /^@slack\//, /^@lydell\//,
]
/** What every run loads, in as few files as can be: most of a short run is spent on opening modules. */
const BASE = /\/proj\/comp\/(?:contracts|text)\/src\/(?!schemas)/
const READING = /\/proj\/comp\/(?:contracts|scanner|parsers|registry)\/src\/|\/node_modules\/(?:valibot|nesl-js|nesl)\//
/** Packages that every run needs, and as it starts. */
const AT_ONCE = /\/node_modules\/(?:valibot|nesl-js|nesl)\//
const RUNNING = /\/proj\/comp\/(?:policy|files|journal|transaction|git|executor|reports|verb-paths|verbs)\/src\//

/** What `hermes apply` shares with other commands, each of which would make a file of its own. */
const APPLYING = /\/proj\/comp\/cli\/src\/(?:apply-options|consent|interrupt|live-printer|read-input|terminal-ui)\.ts$/
/** What the entry needs of them, so that `--version` loads none of those. */
const LINE = /\/proj\/comp\/cli\/src\/(?:arguments|exit-codes|output)\.ts$/

/**
 * Where the command was before: npx keeps its link to that for every clone in which it has run, and would not find it.
 */
const FORMER_COMMAND = `#!/usr/bin/env node
import { createRequire } from 'node:module'

createRequire(import.meta.url)('./cli.cjs').start()
`

/** What a group takes, it takes with all that this needs and no group before it has. */
const GROUPS = [
  { name: 'base', test: BASE, priority: 3 },
  { name: 'reading', test: READING, priority: 2 },
  { name: 'running', test: RUNNING, priority: 1 },
]
/** What runs in a browser: a script each, in one piece, and the style beside its source. */
const PAGES = { report: 'proj/comp/report-page/src/page/report.tsx', review: 'proj/comp/review/src/page/review.tsx' }

const output = await write(ENTRIES, {
  format: 'esm',
  codeSplitting: { groups: [...GROUPS, { name: packageOf, debugName: 'packages' }] },
  entryFileNames: '[name].js',
  chunkFileNames: chunk => `chunks/${chunkName(chunk)}.js`,
  comments: { legal: true, annotation: true, jsdoc: false },
})
const pages = await writePages()
writeFileSync(join(dist, 'licenses.txt'), licenses([...output, ...pages].flatMap(chunk => chunk.moduleIds ?? [])))

// The package of all other grammars has none for C, and the one that has compiles at installation.
mkdirSync(join(dist, 'grammars'))
copyFileSync(
  createRequire(import.meta.url).resolve('tree-sitter-c/tree-sitter-c.wasm'),
  join(dist, 'grammars', 'tree-sitter-c.wasm'),
)

await writeCommand()
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const declarations = ['-p', join(root, 'proj', 'tsconfig.build.json'), '--outDir', join(dist, 'types')]
try {
  execFileSync(process.execPath, [tsc, ...declarations], { stdio: 'inherit' })
} finally {
  putInPlace(join(root, 'dist'))
}
writeManPage()

/** Where it is installed it finds the version; so it is made last. */
function writeManPage() {
  const page = execFileSync(process.execPath, [join(root, 'dist', 'cli.cjs'), 'help', '--man'])
  writeFileSync(join(root, 'dist', 'hermes.1'), page)
}

function putInPlace(place) {
  chmodSync(dist, 0o755)
  const old = `${dist}-old`
  for (;;) {
    try {
      renameSync(dist, place)
      return
    } catch (error) {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    }
    try {
      renameSync(place, old)
    } catch (error) {
      // Another build was faster.
      if (error.code !== 'ENOENT') throw error
    }
    rmSync(old, { recursive: true, force: true })
  }
}

async function write(entries, options) {
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map(name => [name, join(root, 'proj', 'src', `${name}.ts`)])),
    platform: 'node',
    external: EXTERNAL,
    // ESM where a package has it: UMD builds require() by paths that no bundler follows.
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, mainFields: ['module', 'main'] },
    treeshake: true,
    onLog(level, log, report) {
      // A module that is not found is a mere warning, and would fail at run time only.
      report(level === 'warn' ? 'error' : level, log)
    },
  })
  const written = await bundle.write({
    dir: dist,
    ...options,
  })
  await bundle.close()
  return written.output
}

async function writePages() {
  const written = []
  const place = join(dist, 'pages')
  mkdirSync(place)
  for (const [name, source] of Object.entries(PAGES)) {
    const bundle = await rolldown({
      cwd: root,
      input: join(root, source),
      platform: 'browser',
      transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
      resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
      treeshake: true,
      onLog(level, log, report) {
        report(level === 'warn' ? 'error' : level, log)
      },
    })
    const made = await bundle.write({
      file: join(place, `${name}.js`), format: 'iife', minify: true, comments: { legal: true },
    })
    written.push(...made.output)
    await bundle.close()
    const styles = ['proj/comp/report-page/src/page/page.css', source.replace(/[^/]+$/, `${name}.css`)].filter((file) =>
      existsSync(join(root, file)))
    writeFileSync(join(place, `${name}.css`), styles.map((file) => readFileSync(join(root, file), 'utf8')).join('\n'))
  }
  return written
}

/** The command line apart, as scripts: V8 keeps no code cache of modules. See proj/src/launcher.cjs. */
async function writeCommand() {
  const chunks = await write(['cli'], {
    format: 'cjs',
    codeSplitting: {
      groups: [
        { name: 'line', test: LINE, priority: 3 }, ...GROUPS, { name: 'applying', test: APPLYING, priority: 0 },
        { name: id => (AT_ONCE.test(id) ? null : packageOf(id)), priority: 4, debugName: 'packages' },
      ],
    },
    entryFileNames: 'cli-[hash].cjs',
    chunkFileNames: ({ moduleIds, name }) => `cli/${isPackage(moduleIds) ? 'packages/' : ''}${name}-[hash].cjs`,
    comments: false,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  })
  for (const { fileName, code } of chunks) writeFileSync(join(dist, fileName), inAscii(importing(code)))
  const launcher = join(dist, 'cli.cjs')
  const builtWith = `${process.version} ${process.platform} ${process.arch}`
  const filled = { '@MAIN@': chunks.find(({ isEntry }) => isEntry).fileName, '@BUILT_WITH@': builtWith }
  const source = readFileSync(join(root, 'proj', 'src', 'launcher.cjs'), 'utf8')
  writeFileSync(launcher, source.replace(/@[A-Z_]+@/g, name => filled[name]))
  chmodSync(launcher, 0o755)
  writeFileSync(join(dist, 'cli.js'), FORMER_COMMAND, { mode: 0o755 })
  execFileSync(
    process.execPath, [join(root, 'proj', 'scripts', 'code-cache.cjs'), launcher],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
}

/** Packages are imported by the launcher, where it has compiled the code. */
function importing(code) {
  return code.replace(/\bawait import\((?=`)/g, 'await(require.import??(id=>import(id)))(')
}

/** Read byte for byte, without decoding. */
function inAscii(code) {
  return code.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Every package gets a chunk, so that each loads only where it is needed. */
function packageOf(id) {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1].replace(/^@/, '').replace('/', '-') ?? null
}

/** What a chunk of our own is called: as its file, but for indexes and shared chunks as the component or the entry. */
function chunkName({ facadeModuleId, moduleIds, name }) {
  const id = facadeModuleId ?? moduleIds.at(-1) ?? ''
  const [, component, file, entry] = /\/proj\/(?:comp\/([^/]+)\/src\/(.+)|src\/(.+))\.ts$/.exec(id) ?? []
  return entry ?? (facadeModuleId === null || file === 'index' ? component : undefined) ?? name
}

function isPackage(moduleIds) {
  return moduleIds.length > 0 && moduleIds.every(id => id.includes('/node_modules/'))
}

/** The license texts of the packages that became part of the bundle. */
function licenses(moduleIds) {
  const packages = new Set(moduleIds.map(id => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]).filter(Boolean))
  return [...packages].sort().map(directory => {
    const { name, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
    const file = readdirSync(directory).find(entry => /^licen[cs]e/i.test(entry))
    return `${name} (${license})\n\n${file === undefined ? '' : readFileSync(join(directory, file), 'utf8')}`
  }).join(`\n${'-'.repeat(80)}\n\n`)
}

