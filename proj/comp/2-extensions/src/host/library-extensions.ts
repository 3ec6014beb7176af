/// <reference lib="esnext.disposable" preserve="true" />
import { realpathSync } from 'node:fs'
import * as v from 'valibot'
import {
  caught, EXTENSION_SETTINGS, type ExtensionSetting, HermesError, isNodeError, READ_FORMATS, tracked,
} from '../../../0-contracts/src/index.js'
import { dialogueUi } from './dialogue-handlers.js'
import { LivingExtensions, type PreparedAnswer } from './living-extensions.js'
import { firstProblem } from './message-schemas.js'
import type { MessageSource } from './message.js'
import type { ExtensionUi } from './ui-port.js'

/** Options of `new Extensions`. */
export interface ExtensionsOptions {
  /** `NAME` or `NAME:COMMAND` of the user's config, or programs, in the order in which they process an answer. */
  extensions: readonly (string | ExtensionSetting)[]
  /** Working directory of the extensions. Default: that of the process. */
  root?: string | undefined
  /** Answers their dialogues: `dialogueUi({ … })`. Default: all are refused. */
  ui?: ExtensionUi | undefined
  /** Time limit of each command, excluding dialogues, in milliseconds. Default: none. */
  limitMs?: number | undefined
  /**
   * Silence that ends a command, if the extension does not announce ends, in milliseconds. Default: `quiet` of the
   * config, else 5,000.
   */
  quietMs?: number | undefined
  /** Called with their standard error output as it comes. */
  onLog?: ((text: string) => void) | undefined
  /** Called with protocol errors after an answer, one line each. */
  onWarning?: ((line: string) => void) | undefined
}

/** Options for one answer. */
export interface RewriteOptions extends Pick<MessageSource, 'editFormats' | 'startsInThink' | 'filePath'> {
  signal?: AbortSignal | undefined
}

const time = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)))
const OPTIONS = v.strictObject({
  extensions: v.pipe(EXTENSION_SETTINGS, v.minLength(1)),
  root: v.optional(v.string()),
  ui: v.optional(v.custom<ExtensionUi>(isUi, 'Expected dialogueUi({ … }), or an object with request')),
  limitMs: time,
  quietMs: time,
  onLog: v.optional(v.function()),
  onWarning: v.optional(v.function()),
})
const REWRITE = v.strictObject({
  editFormats: v.optional(v.array(v.picklist(READ_FORMATS))),
  startsInThink: v.optional(v.boolean()),
  filePath: v.optional(v.string()),
  signal: v.optional(v.instance(AbortSignal)),
})

/**
 * Extensions for a program that runs answers itself: does what `new Hermes({ extensions })` does before a run. Each is
 * one process, started with the first answer and ended by `stop`.
 */
export class Extensions implements AsyncDisposable {
  readonly #living: LivingExtensions
  readonly #stopping = new AbortController()
  readonly #running = new Set<Promise<unknown>>()
  #stopped: Promise<void> | undefined

  /** @throws HermesError `INVALID_OPTION` */
  constructor(private readonly options: ExtensionsOptions) {
    check(OPTIONS, options, 'Options: extensions (a list of NAME:COMMAND or { name, command }), root, ui, '
      + 'limitMs, quietMs, onLog, onWarning.')
    const { root = process.cwd(), limitMs, quietMs, onLog, onWarning } = options
    const canonical = caught(isNodeError, () => realpathSync.native(root), () => {
      throw wrong(`No such directory: ${root}`, 'root names the directory that extensions work in.')
    })
    this.#living = new LivingExtensions({ root: canonical, limitMs, quietMs, onLog, onWarning })
  }

  /**
   * Passes an answer through the extensions one after the other; several answers may be processed at once. Changing
   * nothing is no failure.
   *
   * @throws HermesError where one is missing or fails (`EXTENSION_FAILED`, `TIMEOUT`), `CANCELLED`, `INVALID_OPTION`:
   *   do not run the answer then
   */
  async rewrite(text: string, options: RewriteOptions = {}): Promise<PreparedAnswer> {
    if (typeof text !== 'string') throw wrong('The answer must be a string', 'Give the text that the model wrote.')
    check(REWRITE, options, 'Options: signal, editFormats, startsInThink, filePath.')
    return tracked(this.#running, this.#rewrite(text, options))
  }

  /** Ends all of them and cancels pending work. Nothing of them is left afterwards. Never rejects. */
  async stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #rewrite(text: string, { signal, ...source }: RewriteOptions): Promise<PreparedAnswer> {
    const { extensions, ui = dialogueUi({}) } = this.options
    const any = AbortSignal.any([this.#stopping.signal, ...(signal ? [signal] : [])])
    try {
      any.throwIfAborted()
      return await this.#living.rewrite(text, extensions, { ...source, ui, signal: any })
    } catch (error) {
      if (error instanceof HermesError || !any.aborted) throw error
      throw new HermesError('CANCELLED', this.#stopping.signal.aborted ? 'The extensions have been stopped'
        : 'The rewriting was cancelled', { cause: error })
    }
  }

  async #stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.allSettled(this.#running)
    await this.#living[Symbol.asyncDispose]()
  }
}

/** @throws HermesError `INVALID_OPTION` */
function check(schema: v.GenericSchema, given: unknown, hint: string): void {
  const checked = v.safeParse(schema, given)
  if (checked.success) return
  const [issue] = checked.issues
  throw wrong(issue.expected === 'never' ? `Unknown option: ${v.getDotPath(issue)}`
    : `Invalid option ${firstProblem(checked.issues)}`, hint)
}

function isUi(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'request' in value && typeof value.request === 'function'
}

function wrong(message: string, hint: string): HermesError {
  return new HermesError('INVALID_OPTION', message, { hint })
}
