/** Tells whether dist/ was built from the sources as they are. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bundle.mjs'

const KEY_FILE = 'built-from'
const FOLDERS = ['proj/src', 'proj/scripts', 'proj/comp']

/**
 * By name, time of change and size of each file, by the packages as they are installed, which may be others than the
 * lockfile's, and by the Node that V8's code cache is for.
 */
export function sourcesKey() {
  const hash = createHash('sha256').update(`${process.version} ${process.platform} ${process.arch}\n`)
  const add = (file) => {
    const { mtimeMs, size } = statSync(join(root, file))
    hash.update(`${file} ${mtimeMs} ${size}\n`)
  }
  for (const file of ['package.json', 'package-lock.json']) add(file)
  const installed = join(root, 'node_modules', '.package-lock.json')
  // Only npm writes it.
  if (existsSync(installed)) hash.update(readFileSync(installed))
  for (const folder of FOLDERS) {
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:[cm]?[jt]sx?|css)$|\/src\/.*\.json$/.test(name) && !/(?:^|\/)test\//.test(name)).sort()
      .forEach((name) => add(`${folder}/${name}`))
  }
  return hash.digest('hex')
}

export function isBuiltFrom(key, isTyped) {
  try {
    // The page of the manual is made last, when dist/ is in its place already.
    for (const name of ['hermes.1', ...isTyped ? ['types'] : []]) statSync(join(root, 'dist', name))
    return readFileSync(join(root, 'dist', KEY_FILE), 'utf8') === key
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw error
  }
}

export function writeKey(dist, key) {
  writeFileSync(join(dist, KEY_FILE), key)
}
