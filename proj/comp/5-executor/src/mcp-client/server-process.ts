import { once } from 'node:events'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { firstStop, HAS_GROUPS, start, whenHermesExits, type StartedProgram } from '../../../2-processes/src/index.js'
import type { Sdk } from './load-client-sdk.js'

/** How long a server may take to end by itself, and then after SIGTERM, in milliseconds. */
const GRACE_MS = 2000
/** How long the system may take to end a killed process, in milliseconds. */
const KILL_MS = 5000
/** Characters kept of what a server prints besides the protocol. */
const MOST_SAID = 4096

export interface ServerProgram {
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  cwd: string
  /** Memory limit for the server and all that it starts (Linux). Default: that of hermes' own programs. */
  mostMemoryBytes?: number | undefined
}

/**
 * A server that runs as a program and speaks over standard input and output. It leads a process group, so that its
 * children end with it.
 */
export class ServerProcess implements Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: ((message: JSONRPCMessage) => void) | undefined
  /** The end of what it prints besides the protocol: it says why it failed. */
  said = ''
  #started: StartedProgram | undefined
  #gone: Promise<unknown> = Promise.resolve()
  /** Why hermes ended it. */
  problem: string | undefined

  constructor(private readonly program: ServerProgram, private readonly sdk: Sdk) {}

  /** @throws Node's error when the program cannot be started (`ENOENT`, `EACCES`, …) */
  async start(): Promise<void> {
    const { command, args, env, cwd, mostMemoryBytes } = this.program
    const started = await start({
      program: command, args, cwd, env, stdio: ['pipe', 'pipe', 'pipe'], leadsGroup: true, mayBeScript: true,
    })
    // On Windows a signal ends only the server itself.
    const letGo = HAS_GROUPS ? whenHermesExits(() => started.signal('SIGKILL')) : undefined
    this.#started = started
    this.#gone = this.#untilGone(started, letGo)
    started.watchMemory(mostMemoryBytes, () => this.#endFor('it held more memory than it may'))
    started.errors?.on('data', (chunk: Buffer) => {
      this.said = (this.said + chunk.toString('utf8')).slice(-MOST_SAID)
    })
    started.input.on('error', (error: Error) => this.onerror?.(error))
    const buffer = new this.sdk.ReadBuffer()
    started.output.on('data', (chunk: Buffer) => this.#read(buffer, chunk))
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { input } = this.#started ?? {}
    if (!input?.writable) throw new Error('the server has ended')
    if (!input.write(this.sdk.serializeMessage(message))) await Promise.race([once(input, 'drain'), this.#gone])
  }

  /** @param isAtOnce kill it instead of letting it end by itself */
  async close(isAtOnce = false): Promise<void> {
    const started = this.#started
    if (started === undefined || started.exit !== undefined) return
    started.input.end()
    if (isAtOnce) started.signal('SIGKILL')
    else {
      await firstStop(this.#gone, { timeoutMs: GRACE_MS })
      if (started.exit === undefined) await started.end({ grace: GRACE_MS, kill: KILL_MS })
    }
    await this.#gone
  }

  #endFor(problem: string): void {
    this.problem ??= problem
    void this.close(true)
  }

  #read(buffer: InstanceType<Sdk['ReadBuffer']>, chunk: Buffer): void {
    try {
      buffer.append(chunk)
    } catch (error) {
      this.onerror?.(error as Error)
      this.#endFor('it sent a message that is too large')
      return
    }
    for (;;) {
      try {
        const message = buffer.readMessage()
        if (message === null) return
        this.onmessage?.(message)
      } catch (error) {
        // Not a message of the protocol.
        this.onerror?.(error as Error)
      }
    }
  }

  /** Waits for the server's end, then kills its children. */
  async #untilGone(started: StartedProgram, letGo: (() => void) | undefined): Promise<void> {
    await started.exited
    letGo?.()
    if (HAS_GROUPS) started.signal('SIGKILL')
    started.closeStreams()
    this.onclose?.()
  }
}
