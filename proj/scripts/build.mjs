/**
 * Builds the package into dist/: the code as CommonJS with lazy chunks (V8 caches compiled scripts, not modules), a
 * module around each entry of the library, the core for browsers, the pages, and the grammars.
 *
 * Options: `--if-changed` does nothing where dist/ was built from these very sources; `--declarations` also writes
 * dist/types, which takes longer than all the rest and which only a packed package needs.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { carryFiles } from './build/carried-files.mjs'
import { LIBRARY, writeCode } from './build/code.mjs'
import { writeCore } from './build/core.mjs'
import { licenses } from './build/licenses.mjs'
import { writePages } from './build/pages.mjs'
import { isBuiltFrom, sourcesKey, writeKey } from './build/sources-key.mjs'
import { root } from './build/bundle.mjs'

const isTyped = process.argv.includes('--declarations')
const key = sourcesKey()
if (!process.argv.includes('--if-changed') || !isBuiltFrom(key, isTyped)) await build()

async function build() {
  // Made beside the old one and put in its place when it is whole: it may be in use, or be built twice at once.
  const dist = mkdtempSync(join(root, 'node_modules', '.hermes-build-'))
  process.on('exit', () => rmSync(dist, { recursive: true, force: true }))
  const bundled = [...await writeCode(dist), ...await writeCore(dist), ...await writePages(dist)]
  const carried = await carryFiles(dist, isTyped)
  writeFileSync(join(dist, 'licenses.txt'), licenses([...bundled, ...carried]))
  if (isTyped) {
    const { writeDeclarations } = await import('./build/declarations.mjs')
    await writeDeclarations(dist, [...LIBRARY, 'core'])
  }
  writeKey(dist, key)
  putInPlace(dist, join(root, 'dist'))
  // Where it is installed the command finds its version; so the page of the manual is made last.
  const page = execFileSync(process.execPath, [join(root, 'dist', 'cli.cjs'), 'help', '--man'])
  writeFileSync(join(root, 'dist', 'hermes.1'), page)
}

function putInPlace(dist, place) {
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
