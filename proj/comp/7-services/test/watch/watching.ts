import { spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { plainEnvironment, type Cli } from '../../../../test/support/cli.js'

export interface Watching {
  readonly pid: number
  /** What both outputs have said so far. */
  said(): string
  /** Waits until it has said something, or said it that often. */
  until(text: string, times?: number): Promise<void>
  stop(signal: NodeJS.Signals): Promise<{ exitCode: number | null; stdout: string }>
  readonly ended: Promise<{ exitCode: number | null; stdout: string }>
}

const DEADLINE_MS = 20_000

/** `hermes watch` as a process that is listening already. */
export async function startWatch(cli: Cli, cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<Watching> {
  const child = spawn(process.execPath, [cli.path, 'watch', ...args], { cwd, env: { ...plainEnvironment(), HOME: cwd, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let [said, stdout] = ['', '']
  const looks = new Set<() => void>()
  const heard = (text: string): void => {
    said += text
    for (const look of looks) look()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    heard(text)
  })
  child.stderr.setEncoding('utf8').on('data', heard)
  const ended = new Promise<{ exitCode: number | null; stdout: string }>((resolve) => {
    child.once('close', (exitCode) => resolve({ exitCode, stdout }))
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const watching: Watching = {
    pid: child.pid ?? 0,
    said: () => said,
    async until(text, times = 1) {
      await new Promise<void>((resolve, reject) => {
        const look = (): void => {
          if (said.split(text).length <= times) return
          looks.delete(look)
          clearTimeout(timer)
          resolve()
        }
        const timer = setTimeout(() => reject(new Error(`${text} was not said ${times} times: ${said}`)), DEADLINE_MS)
        looks.add(look)
        look()
      })
    },
    async stop(signal) {
      child.kill(signal)
      return ended
    },
    ended,
  }
  await watching.until('watches ')
  return watching
}
