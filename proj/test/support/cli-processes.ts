import { spawn, type ChildProcess } from 'node:child_process'
import { afterEach } from 'vitest'
import { plainEnvironment, type Cli } from './cli.js'

/** The command line while it runs. */
export interface Started {
  cwd: string
  child: ChildProcess
  said: () => string
  ended: Promise<number | null>
  /** Resolves when it has said this. */
  until: (words: string) => Promise<void>
}

/** Starts the command line beside the test; what still runs when a test ends is interrupted. */
export function useProcesses(cli: Cli): (args: readonly string[], cwd: string, env?: Record<string, string>) => Started {
  const running: Started[] = []
  afterEach(async () => {
    for (const { child } of running) child.kill('SIGINT')
    await Promise.all(running.splice(0).map(({ ended }) => ended))
  })
  return (args, cwd, env = {}) => {
    const child = spawn(process.execPath, [cli.path, ...args], { cwd, env: { ...plainEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    let heard = (): void => undefined
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said += String(chunk)
        heard()
      })
    }
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    const started = {
      cwd, child, ended, said: () => said,
      until: (words: string) => new Promise<void>((resolve, reject) => {
        heard = () => said.includes(words) && resolve()
        heard()
        void ended.then(() => reject(new Error(`it ended, and said: ${said}`)))
      }),
    }
    running.push(started)
    return started
  }
}
