/** Packages of the registry by exact version, kept below node_modules/.cache and compared with their hash each time. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../../../node_modules/.cache/bench-semantic', import.meta.url))

/**
 * The directory with the files of a package.
 *
 * @throws Error where the registry cannot be reached, or has another content
 */
export function fetchPackage({ name, version, integrity }) {
  const directory = join(cache, `${name}-${version}`)
  const archive = `${directory}.tgz`
  mkdirSync(cache, { recursive: true })
  if (!existsSync(archive)) pack(`${name}@${version}`)
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (found !== integrity) {
    rmSync(archive)
    throw new Error(`${name}@${version} is ${found}, and should be ${integrity}`)
  }
  if (!existsSync(directory)) unpack(archive, directory)
  return directory
}

function pack(spec) {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', cache, spec]
  execFileSync('npm', args, { cwd: cache, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' })
}

/** A directory is there only as a whole. */
function unpack(archive, directory) {
  const fresh = `${directory}.${process.pid}`
  mkdirSync(fresh)
  execFileSync('tar', ['-xzf', archive, '-C', fresh, '--strip-components=1'])
  renameSync(fresh, directory)
}
