import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { endProcesses, type EndingTimes } from './end-processes.js'
import { HAS_GROUPS, sendSignal } from './signals.js'
import { MOST_MEMORY_BYTES, watchMemory } from './watch-memory.js'

/** How a program ended. */
export interface Exit {
  /** `null` when a signal ended it. */
  code: number | null
  signal: NodeJS.Signals | null
}

/** Grace periods in milliseconds; on SIGTERM git removes its lock files. */
const TIMES: EndingTimes = { grace: 1000, kill: 1000 }

/** A program that runs. */
export class StartedProgram {
  readonly exited: Promise<Exit>
  /** Resolves when it has ended and nothing holds its pipes any more. */
  readonly closed: Promise<void>
  /** Set once it has ended. */
  exit: Exit | undefined
  readonly #leadsGroup: boolean

  /** @param descriptors number of requested descriptors; further ones are hidden */
  constructor(
    private readonly child: ChildProcess, readonly pid: number, leadsGroup: boolean,
    private readonly descriptors: number,
  ) {
    this.#leadsGroup = leadsGroup && HAS_GROUPS
    this.exited = new Promise(resolve => child.once('exit', (code, signal) => {
      this.exit = { code, signal }
      resolve(this.exit)
    }))
    this.closed = new Promise(resolve => child.once('close', () => resolve()))
    // Errors of writing to a program that has ended are ignored; the exit tells.
    for (const emitter of [child, child.stdin]) emitter?.on('error', () => undefined)
  }

  /** Its pipes, by descriptor. */
  get stdio(): readonly (Readable | Writable | null | undefined)[] {
    return this.child.stdio.slice(0, this.descriptors)
  }

  get input(): Writable {
    return piped(this.child.stdin)
  }

  get output(): Readable {
    return piped(this.child.stdout)
  }

  get errors(): Readable {
    return piped(this.child.stderr)
  }

  /**
   * Sends a signal, to its whole group if it leads one.
   *
   * @returns false when nothing is left
   */
  signal(signal: NodeJS.Signals | 0): boolean {
    if (this.#leadsGroup) return sendSignal(-this.pid, signal)
    // After it has ended its id may be reused.
    return this.exit === undefined && sendSignal(this.pid, signal)
  }

  /** Ends it gracefully, then kills what is left of its group. */
  async end(times = TIMES): Promise<void> {
    await endProcesses(signal => this.signal(signal) && this.exit === undefined, times)
    this.signal('SIGKILL')
  }

  /**
   * Calls `tell` while it, with all it started, uses too much memory, until it has ended (Linux).
   *
   * @param mostBytes default: as in `run`
   */
  watchMemory(mostBytes: number | undefined, tell: () => void): void {
    void this.exited.then(watchMemory(this.pid, mostBytes ?? MOST_MEMORY_BYTES, tell))
  }

  /** Closes its pipes, which an unreachable descendant may still hold. */
  closeStreams(): void {
    for (const stream of this.child.stdio) stream?.destroy()
  }

  /** Lets hermes exit before it. */
  letGo(): void {
    this.child.unref()
    for (const stream of this.child.stdio) (stream as { unref?: () => void } | null)?.unref?.()
  }

  /** Keeps hermes from exiting before it. */
  hold(): void {
    this.child.ref()
  }
}

function piped<T>(stream: T | null): T {
  if (stream === null) throw new Error('the stream is no pipe')
  return stream
}
