import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import type { ApprovalRequest } from '../../comp/0-contracts/src/index.js'
import type { ExecutionResult } from '../../src/index.js'

/** What a session came to. */
export interface Played {
  results: ExecutionResult[]
  asked: ApprovalRequest[]
}

/** The program `run-commands` while it runs: sessions one after the other, as servers have them. */
export class Player {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #lines: Interface
  readonly #ended: Promise<unknown>
  #complaints = ''

  constructor(program: string, identity: { uid?: number; gid?: number }) {
    this.#child = spawn(process.execPath, [program], { ...identity, cwd: '/', env: {}, stdio: 'pipe' })
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#complaints += String(chunk)
    })
    this.#ended = once(this.#child, 'close')
    // It may have died; what it said then is the reason.
    this.#child.stdin.on('error', () => undefined)
    this.#lines = createInterface({ input: this.#child.stdout })
  }

  /** @param session a line */
  async play(session: string): Promise<Played> {
    const told = Promise.race([once(this.#lines, 'line'), this.#ended.then(() => [])])
    this.#child.stdin.write(session)
    const [line = ''] = await told as string[]
    return readPlayed(line, this.#complaints)
  }

  async end(): Promise<void> {
    this.#child.stdin.end()
    await this.#ended
  }
}

/** @throws Error with what the program complained of */
export function readPlayed(stdout: string, stderr: string): Played {
  if (stderr !== '' || stdout === '') throw new Error(stderr === '' ? 'run-commands ended early' : stderr)
  const played = JSON.parse(stdout) as Played & { failure?: string }
  if (played.failure !== undefined) throw new Error(played.failure)
  return played
}
