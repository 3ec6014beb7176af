/**
 * What an installation takes on the disk: the package itself,
 * and its production dependencies as the lock file has them.
 */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('../..', import.meta.url))
const LARGE_BYTES = 500_000

export default function run() {
  const dist = filesOf(join(root, 'dist')).filter(file => !file.includes('/dist/types/'))
  const [shipped, cache] = [dist.filter(file => !file.endsWith('.cache')), dist.filter(file => file.endsWith('.cache'))]
  const code = shipped.filter(file => file.endsWith('.cjs') && !file.includes('/grammars/'))
  const installed = dependencies()
  const required = installed.filter(({ optional }) => !optional)
  return [
    size('package: all of dist/ that ships', shipped),
    size('package: the code', code),
    { name: 'package: the code, gzip', value: zipped(code), unit: 'kB' },
    size('package: the grammars', shipped.filter(file => file.includes('/grammars/'))),
    size('package: hermes/core', [join(root, 'dist', 'core.js')]),
    { name: 'package: hermes/core, gzip', value: zipped([join(root, 'dist', 'core.js')]), unit: 'kB' },
    size('code cache, made by a build for one machine', cache),
    {
      name: `dependencies, required (${required.length} packages)`,
      value: sum(required.map(({ bytes }) => bytes)) / 1000, unit: 'kB',
    },
    {
      name: `dependencies, optional too (${installed.length} packages)`,
      value: sum(installed.map(({ bytes }) => bytes)) / 1000, unit: 'kB',
    },
    ...installed.filter(({ bytes }) => bytes > LARGE_BYTES).map(({ name, bytes, optional }) => (
      { name: `${name}${optional ? ' (optional)' : ''}`, value: bytes / 1000, unit: 'kB' }
    )),
  ]
}

function zipped(files) {
  return sum(files.map(file => gzipSync(readFileSync(file)).length)) / 1000
}

/** Those that are installed here, the largest first. */
function dependencies() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev && lstatSync(join(root, path), { throwIfNoEntry: false }))
    .map(([path, { optional = false }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), optional,
      bytes: sum(filesOf(join(root, path)).map(file => lstatSync(file).size)),
    }))
    .sort((a, b) => b.bytes - a.bytes)
}

/** All below a directory, but for packages within packages: the lock file names those apart. */
function filesOf(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap(entry => {
    const path = join(directory, entry.name)
    return entry.isDirectory() ? (entry.name === 'node_modules' ? [] : filesOf(path)) : [path]
  })
}

function size(name, files) {
  return { name, value: sum(files.map(file => lstatSync(file).size)) / 1000, unit: 'kB' }
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0)
}
