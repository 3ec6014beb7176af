import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { Sdk } from './load-sdk.js'
import { StderrTail } from './stderr-tail.js'

/** How long a server may take to end by itself, and then by SIGTERM, in milliseconds. */
const GRACE_MS = 2000
/** Windows has no process groups. */
const HAS_GROUPS = process.platform !== 'win32'

/** Groups that end with hermes, however it ends. */
const living = new Set<number>()
process.on('exit', () => {
  for (const pid of living) send(pid, 'SIGKILL')
})

export interface ServerProgram {
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  cwd: string
}

/**
 * A server as a program, which speaks by its standard input and output. It leads a process group,
 * so that what it started ends with it.
 */
export class ServerProcess implements Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: ((message: JSONRPCMessage) => void) | undefined
  readonly stderr = new StderrTail()
  readonly #program: ServerProgram
  readonly #sdk: Sdk
  #child: ChildProcess | undefined
  #gone: Promise<unknown> = Promise.resolve()
  /** Why hermes ended it. */
  problem: string | undefined

  constructor(program: ServerProgram, sdk: Sdk) {
    this.#program = program
    this.#sdk = sdk
  }

  /** @throws Node's error when the program cannot be started (`ENOENT`, `EACCES`, …) */
  async start(): Promise<void> {
    const { execa } = await import('execa')
    const { command, args, env, cwd } = this.#program
    const child = execa(command, args, {
      cwd, env, extendEnv: false, stdio: ['pipe', 'pipe', 'pipe'], buffer: false, reject: false, detached: HAS_GROUPS,
      cleanup: false,
    })
    const { pid } = child
    if (pid === undefined) throw (await child).cause
    if (HAS_GROUPS) living.add(pid)
    this.#child = child
    this.#gone = once(child, 'exit').then(() => this.#ended(pid))
    this.stderr.read(child.stderr)
    child.stdin.on('error', (error: Error) => this.onerror?.(error))
    const buffer = new this.#sdk.ReadBuffer()
    child.stdout.on('data', (chunk: Buffer) => this.#read(buffer, chunk))
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child ?? {}
    if (!stdin?.writable) throw new Error('the server has ended')
    if (!stdin.write(this.#sdk.serializeMessage(message))) await Promise.race([once(stdin, 'drain'), this.#gone])
  }

  /** @param isAtOnce it is not waited for */
  async close(isAtOnce = false): Promise<void> {
    const pid = this.#child?.pid
    if (pid === undefined || !this.#isAlive()) return
    this.#child?.stdin?.end()
    if (!isAtOnce) {
      await this.#within()
      if (this.#isAlive()) send(pid, 'SIGTERM')
      await this.#within()
    }
    if (this.#isAlive()) send(pid, 'SIGKILL')
    await this.#gone
  }

  #isAlive(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null
  }

  async #within(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await Promise.race([this.#gone, new Promise((resolve) => {
      timer = setTimeout(resolve, GRACE_MS)
    })])
    clearTimeout(timer)
  }

  #read(buffer: InstanceType<Sdk['ReadBuffer']>, chunk: Buffer): void {
    try {
      buffer.append(chunk)
    } catch (error) {
      this.problem ??= 'it sent a message that is too large'
      this.onerror?.(error as Error)
      void this.close(true)
      return
    }
    for (;;) {
      try {
        const message = buffer.readMessage()
        if (message === null) return
        this.onmessage?.(message)
      } catch (error) {
        // No message of the protocol.
        this.onerror?.(error as Error)
      }
    }
  }

  /** Whatever it started ends, too. */
  #ended(pid: number): void {
    if (HAS_GROUPS) send(pid, 'SIGKILL')
    living.delete(pid)
    for (const stream of this.#child?.stdio ?? []) stream?.destroy()
    this.onclose?.()
  }
}

/** To a whole group. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(HAS_GROUPS ? -pid : pid, signal)
  } catch {
    // It has ended.
  }
}
