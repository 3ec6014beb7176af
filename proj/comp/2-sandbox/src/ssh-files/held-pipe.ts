import { closeSync, constants, mkdtempSync, openSync, readSync, realpathSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { isNodeError, unlessCode } from '../../../0-contracts/src/index.js'
import { ownEnvironment, run, start, whenHermesExits, type StartedProgram } from '../../../2-processes/src/index.js'

export interface PipedProgram {
  program: string
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
}

/** How long a program may say nothing while it is waited for. */
const QUIET_MS = 30_000
const PIECE = 1 << 16
/** Longest rest between two looks, in milliseconds. */
const MOST_REST = 2
const LAST_WORDS = 4096

/** Why nothing comes any more: it has ended (what it said last), or it is quiet. */
export class PipeBroken extends Error {}

/**
 * A program that hermes talks with through its standard input and output without a turn of the event loop: verbs ask
 * for files in one breath. Its descriptors are named pipes, since those that Node makes cannot be waited for.
 */
export class HeldPipe {
  readonly #piece = Buffer.allocUnsafe(PIECE)
  readonly #forget: () => void
  #received: Buffer[] = []
  #length = 0
  #isClosed = false

  private constructor(
    private readonly program: StartedProgram, private readonly input: number, private readonly output: number,
    private readonly errors: number,
  ) {
    this.#forget = whenHermesExits(() => program.signal('SIGKILL'))
    program.letGo()
  }

  /** @throws Node's error where it cannot be started */
  static async open({ program, args, env }: PipedProgram): Promise<HeldPipe> {
    // As short as can be: only hermes and the program see it, and only until both have opened what is in it.
    const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-ssh-')))
    const opened: number[] = []
    const open = (name: string, flags: number): number => {
      const fd = openSync(join(directory, name), flags, 0o600)
      opened.push(fd)
      return fd
    }
    const { O_RDWR, O_RDONLY, O_WRONLY, O_NONBLOCK, O_CREAT } = constants
    try {
      const made = await run({
        program: 'mkfifo', args: ['-m', '600', join(directory, 'in'), join(directory, 'out')], env: ownEnvironment(),
      })
      if (made.exitCode !== 0) throw new PipeBroken(made.stderr.toString('utf8').trim())
      // The first of each pipe is open at both ends, so that nobody waits for the other.
      const [holdIn, holdOut] = [open('in', O_RDWR), open('out', O_RDWR)]
      const [theirIn, theirOut] = [open('in', O_RDONLY), open('out', O_WRONLY)]
      const [input, output] = [open('in', O_WRONLY | O_NONBLOCK), open('out', O_RDONLY | O_NONBLOCK)]
      const errors = open('errors', O_RDWR | O_CREAT)
      const stdio = [theirIn, theirOut, errors] as const
      const started = await start({ program, args, cwd: '/', env, stdio, leadsGroup: true })
      for (const fd of [holdIn, holdOut, theirIn, theirOut]) closeSync(fd)
      return new HeldPipe(started, input, output, errors)
    } catch (error) {
      opened.forEach(closeSync)
      throw error
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }

  /** What came from it and was not taken yet, once something came: the first answer is behind what a shell prints. */
  async peek(): Promise<Buffer> {
    const before = this.#length
    for (let waited = 0; this.#take() === 0; waited += 10) {
      if (waited >= QUIET_MS) throw this.#quiet()
      await later(10)
    }
    return this.#length > before ? this.#joined() : Buffer.alloc(0)
  }

  /** Leaves out what came first. */
  skip(length: number): void {
    const rest = this.#joined().subarray(length)
    this.#received = [rest]
    this.#length = rest.length
  }

  /** @throws PipeBroken */
  send(bytes: Uint8Array): void {
    let rest = 0
    let since = Date.now()
    for (let at = 0; at < bytes.length;) {
      const count = this.#write(bytes, at)
      at += count
      // It may be waiting for us to read before it reads on.
      if (count > 0 || this.#take() > 0) [rest, since] = [0, Date.now()]
      else rest = this.#rest(rest, since)
    }
  }

  /** The next bytes, waited for. @throws PipeBroken */
  receive(length: number): Buffer {
    let rest = 0
    let since = Date.now()
    while (this.#length < length) {
      if (this.#take() > 0) [rest, since] = [0, Date.now()]
      else rest = this.#rest(rest, since)
    }
    const all = this.#joined()
    this.#received = all.length > length ? [all.subarray(length)] : []
    this.#length = all.length - length
    return all.subarray(0, length)
  }

  async end(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#forget()
    for (const fd of [this.input, this.output, this.errors]) closeSync(fd)
    await this.program.end()
  }

  #joined(): Buffer {
    const [first] = this.#received
    return this.#received.length === 1 && first ? first : Buffer.concat(this.#received)
  }

  /** @returns how many bytes came. @throws PipeBroken at its end */
  #take(): number {
    if (this.#isClosed) throw new PipeBroken('the connection was closed')
    const count = orWaits(() => readSync(this.output, this.#piece))
    if (count === 0) throw this.#ended()
    if (count === undefined) return 0
    this.#received.push(Buffer.from(this.#piece.subarray(0, count)))
    this.#length += count
    return count
  }

  #write(bytes: Uint8Array, at: number): number {
    if (this.#isClosed) throw new PipeBroken('the connection was closed')
    try {
      return orWaits(() => writeSync(this.input, bytes, at, Math.min(PIECE, bytes.length - at))) ?? 0
    } catch (error) {
      if (isNodeError(error) && error.code === 'EPIPE') throw this.#ended()
      throw error
    }
  }

  #rest(last: number, since: number): number {
    if (Date.now() - since > QUIET_MS) throw this.#quiet()
    const rest = Math.min(MOST_REST, last === 0 ? 0.05 : last * 1.5)
    Atomics.wait(NOBODY, 0, 0, rest)
    return rest
  }

  #quiet(): PipeBroken {
    return new PipeBroken(`no answer for ${QUIET_MS / 1000} s`)
  }

  #ended(): PipeBroken {
    const words = Buffer.alloc(LAST_WORDS)
    const count = readSync(this.errors, words, 0, LAST_WORDS, 0)
    const lines = words.subarray(0, count).toString('utf8').split(/[\r\n]+/).filter((line) => line.trim() !== '')
    return new PipeBroken(lines.at(-1)?.trim().slice(0, 300) ?? 'the connection has ended')
  }
}

/** Nobody wakes whoever waits here. */
const NOBODY = new Int32Array(new SharedArrayBuffer(4))

/** `undefined` where it would have to wait. */
function orWaits(act: () => number): number | undefined {
  return unlessCode(['EAGAIN'], act, undefined)
}
