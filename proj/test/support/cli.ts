import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { bundleForNode } from './bundle.js'

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

/** The command line as a program of its own, built once for the test file that calls this. */
export function useCli(): Cli {
  let directory = ''
  let path = ''
  beforeAll(async () => {
    directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-cli-')))
    mkdirSync(join(directory, 'bin'))
    copyFileSync(join(root, 'package.json'), join(directory, 'package.json'))
    symlinkSync(join(root, 'docs'), join(directory, 'docs'), 'junction')
    path = await bundleForNode(join(root, 'proj', 'src', 'cli.ts'), join(directory, 'bin'))
  }, 60_000)
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return {
    get path() {
      return path
    },
    async run(args, { cwd, input, env }) {
      const child = spawn(process.execPath, [path, ...args], {
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

/** The variables programs need to be found and to make temporary files. */
export function plainEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SYSTEMROOT'].map(name => [name, process.env[name]])
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined)) as Record<string, string>
}
