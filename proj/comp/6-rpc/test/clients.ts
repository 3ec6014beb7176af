import { spawn, execFileSync, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMessageConnection, type MessageConnection } from 'vscode-jsonrpc/node'
import { onTestFinished } from 'vitest'
import { plainEnvironment, type Cli } from '../../../test/support/cli.js'

export interface Served {
  child: ChildProcessWithoutNullStreams
  client: MessageConnection
  /** Methods and params of what the server told, in order. */
  told: [method: string, params: Record<string, unknown>][]
  exited: Promise<unknown>
  stderr: () => string
}

/** `hermes serve` with a plain vscode-jsonrpc client at its standard input and output. */
export function serveStdio(cli: Cli, cwd: string, flags: readonly string[] = []): Served {
  const { child, stderr } = start(cli, cwd, flags)
  const client = createMessageConnection(child.stdout, child.stdin)
  const told: Served['told'] = []
  client.onNotification((method, params) => { told.push([method, params as unknown as Record<string, unknown>]) })
  client.listen()
  return { child, client, told, exited: once(child, 'exit').then(([code]: unknown[]) => code), stderr }
}

/** A server that listens; resolves when it says so, to the line. */
export async function listening(cli: Cli, cwd: string, flags: readonly string[]): Promise<{ child: ChildProcessWithoutNullStreams; line: string }> {
  const { child, stderr } = start(cli, cwd, flags)
  while (!stderr().includes('\n')) await Promise.race([once(child.stderr, 'data'), once(child, 'exit')])
  return { child, line: stderr() }
}

function start(cli: Cli, cwd: string, flags: readonly string[]): { child: ChildProcessWithoutNullStreams; stderr: () => string } {
  const child = spawn(process.execPath, [cli.path, 'serve', ...flags], { cwd, env: { ...plainEnvironment(), HOME: cwd } })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => { stderr += chunk.toString() })
  onTestFinished(() => { child.kill('SIGKILL') })
  return { child, stderr: () => stderr }
}

/** A command of an answer that writes its process id and goes on forever. */
export const FOREVER = `<tool_call>${JSON.stringify({ name: 'execute_command', arguments: { command: 'echo $$ > pid; exec sleep 1000' } })}</tool_call>`

export async function pidOf(file: string): Promise<number> {
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(10)
  return Number(readFileSync(file, 'utf8'))
}

export function isAlive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    // ps exits with 1 where no such process is.
    return false
  }
}

export function toolCall(name: string, args: object): string {
  return `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`
}
