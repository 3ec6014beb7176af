/**
 * Writes which files of packages that are no part of dist/ hermes loads or starts: the hashes of those of the versions
 * in package-lock.json, of every platform, and of each TypeScript that has a language service; they take the place of
 * the lines that are in the source. To be run when one of these packages changes its version, or TypeScript has a new
 * one; it asks the registry for them.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const place = join(root, 'proj', 'comp', '2-packages', 'src', 'pinned-files.ts')
/** By the names of packages: what of them is loaded or started. */
const USED = [
  { names: /^@vscode\/ripgrep-/, files: /^bin\/rg(?:\.exe)?$/ },
  // There are no shells on a terminal on Windows yet.
  { names: /^@lydell\/node-pty-(?!win32)/, files: /^(?:pty\.node|spawn-helper)$/ },
  { names: /^@lydell\/node-pty$/, files: /^(?!windows|conpty)\w+\.js$/ },
  { names: /^typescript$/, files: /^lib\/typescript\.js$/ },
]

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const locked = Object.entries(packages)
  .map(([path, { version, integrity }]) => ({ name: path.replace(/^node_modules\//, ''), version, integrity }))
  .filter(({ name }) => USED.some(({ names }) => names.test(name)))
const published = JSON.parse(npm('view', 'typescript', 'versions', '--json'))
  .filter((version) => /^[56]\.\d+\.\d+$/.test(version))
  .map((version) => ({ name: 'typescript', version }))

const pins = [...locked, ...published].flatMap(pinned)
writeFileSync(place, readFileSync(place, 'utf8').replace(/(?<=`\n)[^`]*(?=`)/, () => (
  pins.map((pin) => `${pin.join(' ')}\n`).join('')
)))

function pinned({ name, version, integrity }) {
  const directory = mkdtempSync(join(tmpdir(), 'hermes-pins-'))
  try {
    const [packed] = JSON.parse(npm('pack', `${name}@${version}`, '--json', '--pack-destination', directory))
    const tarball = readdirSync(directory).find((file) => file.endsWith('.tgz'))
    const found = `sha512-${createHash('sha512').update(readFileSync(join(directory, tarball))).digest('base64')}`
    if (found !== (integrity ?? packed.integrity)) throw new Error(`${name}@${version} is not what was locked`)
    execFileSync('tar', ['-xzf', tarball], { cwd: directory })
    const { files } = USED.find(({ names }) => names.test(name))
    const content = join(directory, 'package')
    return readdirSync(content, { recursive: true }).filter((file) => files.test(file)).sort().map((file) => (
      [name, version, file, createHash('sha256').update(readFileSync(join(content, file))).digest('hex')]
    ))
  } finally {
    rmSync(directory, { recursive: true })
  }
}

function npm(...args) {
  return execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], cwd: tmpdir() })
}
