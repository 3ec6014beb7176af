import { HermesError } from '../../../0-contracts/src/index.js'
import { CommandClock, type CommandClockOptions } from './command-clock.js'

/** How a command ended, according to the extension. */
export interface CommandOutcome {
  success: boolean
  /** One line for the user; unescaped. */
  message?: string
}

export interface CommandRunOptions {
  /** Name of the extension. */
  name: string
  command: string
  limitMs: number | undefined
  quietMs: CommandClockOptions['quietMs']
  signal: AbortSignal | undefined
}

/** Kinds of requests: reading the answer, changing it, or a dialogue. */
export type RequestKind = 'look' | 'change' | 'dialogue'

/** A command carried out by an extension. */
export class CommandRun {
  readonly outcome: Promise<CommandOutcome>
  readonly #clock: CommandClock
  #resolve: (outcome: CommandOutcome) => void = () => undefined
  #reject: (error: HermesError) => void = () => undefined
  /** Number of changes in progress. */
  #changing = 0
  /** The announced outcome, which takes effect once these are done. */
  #announced: CommandOutcome | undefined
  readonly #seen = new Set<RequestKind>()
  #wasQuiet = false

  constructor(private readonly options: CommandRunOptions) {
    const { name, command, limitMs, quietMs, signal } = options
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // It may reject before anyone awaits it.
    this.outcome.catch(() => undefined)
    this.#clock = new CommandClock({
      limitMs, quietMs,
      onQuiet: () => {
        this.#wasQuiet = true
        this.finish({})
      },
      onLimit: () => this.fail(new HermesError(
        'TIMEOUT', `Extension '${name}' was not done with ${command} within ${(limitMs ?? 0) / 1000} s`,
        {
          hint: 'It says so by the notification command/finished; --ext-timeout SECONDS gives it more time.',
        },
      )),
    })
    if (signal?.aborted) this.#cancel()
    signal?.addEventListener('abort', this.#cancel)
  }

  /**
   * A request begins.
   *
   * @returns function to call when it is answered
   */
  began(kind: RequestKind): () => void {
    this.#seen.add(kind)
    const end = this.#clock.began(kind === 'dialogue')
    if (kind !== 'change') return end
    this.#changing++
    return () => {
      end()
      if (--this.#changing === 0 && this.#announced) this.#resolve(this.#announced)
    }
  }

  /** Whether it has made no request yet. */
  get isUntouched(): boolean {
    return this.#seen.size === 0
  }

  /** Whether it ended by silence after reading an answer, so that a change of that may still arrive. */
  get mayComeLate(): boolean {
    return this.#wasQuiet && this.#seen.has('look') && !this.#seen.has('change')
  }

  /** Why the exit of the extension is not a proper end of the command. */
  get missing(): string | undefined {
    const { command, quietMs } = this.options
    if (this.#clock.open > 0) return 'while a request of it was open'
    return quietMs === undefined ? `before it had said that ${command} is done` : undefined
  }

  /** Ends the command, after changes that came before. */
  finish({ success = true, message }: { success?: boolean | undefined; message?: string | undefined }): void {
    this.#announced ??= { success, ...(message !== undefined && { message }) }
    if (this.#changing === 0) this.#resolve(this.#announced)
  }

  fail(error: HermesError): void {
    this.#reject(error)
  }

  stop(): void {
    this.#clock.stop()
    this.options.signal?.removeEventListener('abort', this.#cancel)
  }

  readonly #cancel = (): void => {
    this.fail(new HermesError('CANCELLED', 'The command was interrupted', { hint: 'Run it again.' }))
  }
}
