import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { removeSync } from 'fs-extra/esm'
import { rolldown } from 'rolldown'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * A TypeScript entry of a trial as JavaScript with all that it imports, below node_modules, where the packages are
 * found that are not bundled; removed when the process ends.
 *
 * @param {string} entry its path below proj/trials
 * @param {(string | RegExp)[]} external packages that are left where they are, besides the usual ones
 * @returns {Promise<string>} its URL
 */
export async function bundleEntry(entry, external = []) {
  const cache = join(PROJECT, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const out = mkdtempSync(join(cache, 'trial-'))
  process.on('exit', () => removeSync(out))
  const built = await rolldown({
    cwd: PROJECT, input: join(PROJECT, 'proj', 'trials', entry), platform: 'node',
    external: [/^node:/, 'typescript', /ripgrep/, ...external],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] }, mainFields: ['module', 'main'] }, logLevel: 'silent',
  })
  await built.write({ dir: out, format: 'esm', entryFileNames: 'entry.mjs' })
  await built.close()
  return pathToFileURL(join(out, 'entry.mjs')).href
}
