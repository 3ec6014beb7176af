import { createHash, type Hash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copySync, removeSync } from 'fs-extra/esm'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** Programs compiled before, by what they were compiled from. */
const kept = join(root, 'node_modules', '.cache', 'hermes-tests')
const KEPT_MS = 60 * 60 * 1000
/** More than half of the code there is, and for one verb that no such program calls. */
const EXTERNAL = ['typescript']

export interface BundleOptions {
  /** One module with all that may be loaded on demand: for a program that can open no further file. Default false. */
  inOne?: boolean
}

/**
 * Compiles a TypeScript file and all it imports to modules that plain node runs: for tests that need a process of
 * their own (to kill it, or to run it as another user). Parts that load on demand are chunks of their own, as in the
 * package, since most of a short run would be spent on reading them. What has been compiled from the same sources is used
 * again.
 *
 * @returns the path of the program in `outDir`
 */
export async function bundleForNode(entry: string, outDir: string, { inOne = false }: BundleOptions = {}): Promise<string> {
  const name = `${basename(entry, '.ts')}.mjs`
  for (;;) {
    const key = keyOf(entry, inOne)
    const place = join(kept, key)
    try {
      copySync(place, outDir)
      return join(outDir, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    mkdirSync(kept, { recursive: true })
    removeOld()
    const fresh = mkdtempSync(join(kept, 'new-'))
    try {
      await compile(entry, fresh, inOne)
      // Sources that were changed meanwhile are compiled again.
      if (keyOf(entry, inOne) === key) putInPlace(fresh, place)
    } finally {
      removeSync(fresh)
    }
  }
}

async function compile(input: string, dir: string, inOne: boolean): Promise<void> {
  const bundle = await rolldown({
    input, platform: 'node', resolve: { mainFields: ['module', 'main'] }, external: EXTERNAL, logLevel: 'silent',
  })
  try {
    const names = { entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' }
    await bundle.write({ dir, format: 'esm', ...names, ...(inOne && { codeSplitting: false }) })
  } finally {
    await bundle.close()
  }
}

/** Tells one state of the sources from another. */
function keyOf(entry: string, inOne: boolean): string {
  const hash = createHash('sha256').update(`${relative(root, entry)} ${inOne}\n`)
  add(hash, join(root, 'package-lock.json'))
  for (const folder of ['src', 'comp', 'test']) {
    const names = readdirSync(join(root, 'proj', folder), { recursive: true, encoding: 'utf8' }).filter((name) => /\.[cm]?ts$/.test(name))
    for (const name of names.sort()) add(hash, join(root, 'proj', folder, name))
  }
  return hash.digest('hex').slice(0, 24)
}

function add(hash: Hash, file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false })
  hash.update(`${file} ${stats?.mtimeMs} ${stats?.size}\n`)
}

/** Another worker may have been faster. */
function putInPlace(fresh: string, place: string): void {
  try {
    renameSync(fresh, place)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

function removeOld(): void {
  for (const name of readdirSync(kept)) {
    const stats = statSync(join(kept, name), { throwIfNoEntry: false })
    if (stats && Date.now() - stats.mtimeMs > KEPT_MS) removeSync(join(kept, name))
  }
}
