import { spawn } from 'node:child_process'
import {
  copyFileSync, linkSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export interface CliRun {
  cwd: string
  /** Standard input; closed without it. */
  input?: string | Uint8Array
  /** On top of an environment that says nothing about colours. */
  env?: Record<string, string>
}

export interface CliOutcome {
  stdout: string
  stderr: string
  exitCode: number | null
}

export interface Cli {
  /** The program; there once tests run. */
  readonly path: string
  run(args: readonly string[], run: CliRun): Promise<CliOutcome>
}

/** What the command loads that is not built into it, each with where tests find it. */
const PACKAGES = [
  'node_modules/@lydell/node-pty', 'node_modules/@vscode/ripgrep', 'proj/node_modules/typescript',
]

/** The command line as it is installed, for the test file that calls this; it is built before all tests. */
export function useCli(): Cli {
  let directory = ''
  beforeAll(() => {
    directory = installed()
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return {
    get path() {
      return pathIn(directory)
    },
    async run(args, { cwd, input, env }) {
      const child = spawn(process.execPath, [pathIn(directory), ...args], {
        cwd, env: { ...plainEnvironment(), ...env }, stdio: 'pipe',
      })
      // A program that ends early does not read its input.
      child.stdin.on('error', () => undefined)
      child.stdin.end(input ?? '')
      const ended = new Promise<number | null>((resolve, reject) => {
        child.on('error', reject)
        child.on('close', resolve)
      })
      const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended])
      return { stdout, stderr, exitCode }
    },
  }
}

function pathIn(directory: string): string {
  return join(directory, 'dist', 'cli.cjs')
}

function installed(): string {
  for (let tries = 1; ; tries++) {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-cli-')))
    try {
      install(directory)
      return directory
    } catch (error) {
      rmSync(directory, { recursive: true, force: true })
      // Someone builds beside the tests, and has put another in its place.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === 5) throw error
    }
  }
}

/** In a place of its own: a test changes nothing in the sources, and a build nothing in the test. */
function install(directory: string): void {
  const dist = join(root, 'dist')
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { name, parentPath } of files) {
    const place = join(directory, 'dist', relative(dist, parentPath))
    mkdirSync(place, { recursive: true })
    putIn(join(parentPath, name), join(place, name))
  }
  copyFileSync(join(root, 'package.json'), join(directory, 'package.json'))
  for (const name of ['docs', 'examples']) symlinkSync(join(root, name), join(directory, name), 'junction')
  for (const from of PACKAGES) {
    const to = join(directory, from.slice(from.indexOf('node_modules')))
    mkdirSync(dirname(to), { recursive: true })
    symlinkSync(join(root, from), to, 'junction')
  }
}

/** Linked, which is quick, where the temporary directory is on the same disk, and all is our own. */
function putIn(file: string, place: string): void {
  try {
    linkSync(file, place)
  } catch (error) {
    if (!['EXDEV', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    copyFileSync(file, place)
  }
}

/** The variables programs need to be found and to make temporary files. */
export function plainEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SYSTEMROOT'].map(name => [name, process.env[name]])
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined)) as Record<string, string>
}
