import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { trustedPath } from '../../policy/src/index.js'

const TIMEOUT_MS = 10_000

/** What a program prints, as hermes finds it: in no directory that models write; `undefined` where it cannot be run. */
export function firstLine(program: string, args: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  const env = { ...process.env, PATH: trustedPath(process.env['PATH'] ?? '') }
  return new Promise((resolve) => {
    execFile(program, [...args], { env, signal, timeout: TIMEOUT_MS, cwd: homedir() }, (error, stdout, stderr) => {
      resolve(error ? undefined : `${stdout}${stderr}`.trim().split('\n')[0] ?? '')
    })
  })
}
