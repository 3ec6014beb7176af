import { HermesError } from '../../../0-contracts/src/index.js'
import { CommandClock, type CommandClockOptions } from './command-clock.js'

/** How a command ended, as the extension tells it. */
export interface CommandOutcome {
  success: boolean
  /** One line for the user; raw. */
  message?: string
}

export interface CommandRunOptions {
  /** Of the extension. */
  name: string
  command: string
  limitMs: number | undefined
  quietMs: CommandClockOptions['quietMs']
  signal: AbortSignal | undefined
}

/** A command that an extension carries out. */
export class CommandRun {
  readonly outcome: Promise<CommandOutcome>
  readonly #options: CommandRunOptions
  readonly #clock: CommandClock
  readonly #signal: AbortSignal | undefined
  #resolve: (outcome: CommandOutcome) => void = () => undefined
  #reject: (error: HermesError) => void = () => undefined

  constructor(options: CommandRunOptions) {
    const { name, command, limitMs, quietMs, signal } = options
    this.#options = options
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // It may fail before anyone waits for it.
    this.outcome.catch(() => undefined)
    this.#clock = new CommandClock({
      limitMs, quietMs,
      onQuiet: () => this.finish({}),
      onLimit: () => this.fail(new HermesError(
        'TIMEOUT', `Extension '${name}' was not done with ${command} within ${(limitMs ?? 0) / 1000} s`,
        {
          hint: 'It says so by the notification command/finished; --ext-timeout SECONDS gives it more time.',
        },
      )),
    })
    this.#signal = signal
    if (signal?.aborted) this.#cancel()
    signal?.addEventListener('abort', this.#cancel)
  }

  began(isDialogue: boolean): () => void {
    return this.#clock.began(isDialogue)
  }

  /** What is missing for the end of the extension to be the end of the command. */
  get missing(): string | undefined {
    const { command, quietMs } = this.#options
    if (this.#clock.open > 0) return 'while a request of it was open'
    return quietMs === undefined ? `before it had said that ${command} is done` : undefined
  }

  finish({ success = true, message }: { success?: boolean | undefined; message?: string | undefined }): void {
    this.#resolve({ success, ...(message !== undefined && { message }) })
  }

  fail(error: HermesError): void {
    this.#reject(error)
  }

  stop(): void {
    this.#clock.stop()
    this.#signal?.removeEventListener('abort', this.#cancel)
  }

  readonly #cancel = (): void => {
    this.fail(new HermesError('CANCELLED', 'The command was interrupted', { hint: 'Run it again.' }))
  }
}
