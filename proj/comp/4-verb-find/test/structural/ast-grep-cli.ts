import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A match as the program prints it, in what is compared. */
export interface CliMatch {
  file: string
  text: string
  range: { byteOffset: { start: number; end: number } }
  replacement?: string
}

/** ast-grep's own program, of the same version; `undefined` where npm has none for this machine. */
export function astGrepProgram(): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve('@ast-grep/cli-linux-x64-gnu/package.json')
    return join(dirname(manifest), 'ast-grep')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** Runs it in a directory; it ends with 1 where nothing matches. */
export function runAstGrep(program: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(program, args, {
      cwd, encoding: 'utf8', maxBuffer: 1024 * 1024 * 256, stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 1) return ''
    throw error
  }
}

/** All matches by file and place. */
export function matchesOfAstGrep(program: string, args: readonly string[], cwd: string): CliMatch[] {
  const lines = runAstGrep(program, ['run', ...args, '--json=stream'], cwd).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as CliMatch)
}
