import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'

export const root = fileURLToPath(new URL('../../..', import.meta.url))

export interface Installed {
  /** The packed package. */
  readonly tarball: string
  /** An empty project in which it is installed; both are there once tests run. */
  readonly project: string
}

/** Packs the built package and installs it in an empty folder, once for the test file that calls this. */
export function useInstalled(...options: readonly string[]): Installed {
  let directory = ''
  beforeAll(() => {
    // Packing must not build: that would pull dist away from under other tests.
    if (!existsSync(join(root, 'dist', 'types'))) {
      throw new Error('dist/types is missing: node proj/scripts/build.mjs --declarations')
    }
    directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-package-')))
    run('npm', ['pack', '--ignore-scripts', '--pack-destination', directory], root)
    writeFileSync(join(directory, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }')
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts']
    run('npm', ['install', ...quiet, ...options, tarball()], directory)
  }, 300_000)
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  const tarball = (): string => join(directory, `hermes-${version()}.tgz`)
  return {
    get tarball() {
      return tarball()
    },
    get project() {
      return directory
    },
  }
}

export function version(): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version
}

/** @returns standard output @throws Error with all that was printed, where it fails */
export function run(program: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

/** The file of the command of a package that tests need. */
export function programOf(name: string, command = name): string {
  const manifest = join(root, 'proj', 'node_modules', name, 'package.json')
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: string | Record<string, string> }
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[command] ?? '')
}
