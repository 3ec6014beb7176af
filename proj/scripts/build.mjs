/** Builds the package into dist/: bundled ESM with lazy chunks, and declarations in dist/types. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))
const dist = join(root, 'dist')
const ENTRIES = ['index', 'core', 'cli', 'design']
/** Loaded on demand from node_modules: they would not get smaller by bundling. */
const EXTERNAL = [/^node:/, 'execa', '@vscode/ripgrep', 'systeminformation', 'typescript']
const HASHBANG = '#!/usr/bin/env node\n'

rmSync(dist, { recursive: true, force: true })

const bundle = await rolldown({
  cwd: root,
  input: Object.fromEntries(ENTRIES.map(name => [name, join(root, 'proj', 'src', `${name}.ts`)])),
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
const { output } = await bundle.write({
  dir: dist,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: chunk => `chunks/${chunkName(chunk)}.js`,
  codeSplitting: { groups: [{ name: packageOf, debugName: 'packages' }] },
  minify: false,
  comments: { legal: true, annotation: true, jsdoc: false },
})
await bundle.close()
writeFileSync(join(dist, 'licenses.txt'), licenses(output.flatMap(chunk => chunk.moduleIds ?? [])))

// The package of all other grammars has none for C, and the one that has compiles at installation.
mkdirSync(join(dist, 'grammars'))
copyFileSync(
  createRequire(import.meta.url).resolve('tree-sitter-c/tree-sitter-c.wasm'),
  join(dist, 'grammars', 'tree-sitter-c.wasm'),
)

const cli = join(dist, 'cli.js')
const code = readFileSync(cli, 'utf8')
if (!code.startsWith('#!')) writeFileSync(cli, HASHBANG + code)
chmodSync(cli, 0o755)

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

/** The license texts of the packages that became part of the bundle. */
function licenses(moduleIds) {
  const packages = new Set(moduleIds.map(id => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]).filter(Boolean))
  return [...packages].sort().map(directory => {
    const { name, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
    const file = readdirSync(directory).find(entry => /^licen[cs]e/i.test(entry))
    return `${name} (${license})\n\n${file === undefined ? '' : readFileSync(join(directory, file), 'utf8')}`
  }).join(`\n${'-'.repeat(80)}\n\n`)
}

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
execFileSync(process.execPath, [tsc, '-p', join(root, 'proj', 'tsconfig.build.json')], { stdio: 'inherit' })
