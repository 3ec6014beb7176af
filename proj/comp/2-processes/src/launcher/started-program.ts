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

/** SIGTERM is what git removes its lock files on. */
const TIMES: EndingTimes = { grace: 1000, kill: 1000 }

/** A program that runs. */
export class StartedProgram {
  readonly pid: number
  readonly exited: Promise<Exit>
  /** It is gone and nothing holds its pipes any more. */
  readonly closed: Promise<void>
  /** Once it has ended. */
  exit: Exit | undefined
  readonly #child: ChildProcess
  readonly #leadsGroup: boolean

  constructor(child: ChildProcess, pid: number, leadsGroup: boolean) {
    this.pid = pid
    this.#child = child
    this.#leadsGroup = leadsGroup && HAS_GROUPS
    this.exited = new Promise(resolve => child.once('exit', (code, signal) => {
      this.exit = { code, signal }
      resolve(this.exit)
    }))
    this.closed = new Promise(resolve => child.once('close', () => resolve()))
    // Who writes to a program that is gone learns it from the exit.
    for (const emitter of [child, child.stdin]) emitter?.on('error', () => undefined)
  }

  /** Its pipes by their descriptors. */
  get stdio(): readonly (Readable | Writable | null | undefined)[] {
    return this.#child.stdio
  }

  get input(): Writable {
    return piped(this.#child.stdin)
  }

  get output(): Readable {
    return piped(this.#child.stdout)
  }

  get errors(): Readable {
    return piped(this.#child.stderr)
  }

  /** To its whole group, where it leads one. @returns false when nothing is left */
  signal(signal: NodeJS.Signals | 0): boolean {
    if (this.#leadsGroup) return sendSignal(-this.pid, signal)
    // The number of what has ended is given again.
    return this.exit === undefined && sendSignal(this.pid, signal)
  }

  /** Ends it, and then at once what is left of its group. */
  async end(times = TIMES): Promise<void> {
    await endProcesses(signal => this.signal(signal) && this.exit === undefined, times)
    this.signal('SIGKILL')
  }

  /**
   * Tells of it while it holds too much memory with all that it started, until it has ended (Linux).
   *
   * @param mostBytes default: as much as `run` allows
   */
  watchMemory(mostBytes: number | undefined, tell: () => void): void {
    void this.exited.then(watchMemory(this.pid, mostBytes ?? MOST_MEMORY_BYTES, tell))
  }

  /** A descendant that cannot be reached may still hold them. */
  closeStreams(): void {
    for (const stream of this.#child.stdio) stream?.destroy()
  }

  /** It does not keep hermes from ending. */
  letGo(): void {
    this.#child.unref()
    for (const stream of this.#child.stdio) (stream as { unref?: () => void } | null)?.unref?.()
  }

  /** Hermes ends no sooner than it. */
  hold(): void {
    this.#child.ref()
  }
}

function piped<T>(stream: T | null): T {
  if (stream === null) throw new Error('the stream is no pipe')
  return stream
}
