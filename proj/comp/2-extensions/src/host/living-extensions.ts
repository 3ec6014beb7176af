import { HermesError, type ExtensionSetting, type Rewrite } from '../../../0-contracts/src/index.js'
import type { ConfiguredExtension } from '../../../2-config/src/index.js'
import { firstStop } from '../../../2-processes/src/index.js'
import type { VerbDescription } from '../kit/index.js'
import { commandFailure, configuredExtension, hostOptions, onlyCommand } from './configured-extension.js'
import { describeRewrite } from './describe-rewrite.js'
import { ExtensionHost } from './extension-host.js'
import { Message, type MessageSource } from './message.js'
import { noUi, type ExtensionUi } from './ui-port.js'
import type { VerbCall } from './verb-calls.js'

/** Crashes and failed starts after which an extension is not started again in a session. */
const MOST_DEATHS = 3

export interface LivingOptions {
  /** Absolute, links resolved. */
  root: string
  /** Time limit of each command, excluding dialogues, in milliseconds. Default: none. */
  limitMs?: number | undefined
  /** Silence that ends a command, in place of the config's `quiet`, in milliseconds. */
  quietMs?: number | undefined
  /** What precedes `NAME:COMMAND` in a call, for hints. */
  prefix?: string | undefined
  onLog?: ((text: string) => void) | undefined
  /** Default for who answers dialogues. Default: nobody. */
  ui?: ExtensionUi | undefined
  /** Called with protocol errors after an answer, one line each. */
  onWarning?: ((line: string) => void) | undefined
}

export interface RewriteContext extends Pick<MessageSource, 'editFormats' | 'startsInThink' | 'filePath'> {
  /** Answers their dialogues, in place of the session's. */
  ui?: ExtensionUi | undefined
  signal: AbortSignal
}

/** An answer after processing by extensions. */
export interface PreparedAnswer {
  /** The text to run. */
  text: string
  /** The text of the model. */
  original: string
  /** The changes, in order. */
  rewrites: readonly Rewrite[]
  /** The text after each change; the last equals `text`. */
  texts: readonly string[]
  /** Reports of the extensions, one line each; unescaped. */
  notes: readonly string[]
  /** Protocol errors of extensions that still work, one line each. */
  warnings: readonly string[]
}

interface Step {
  extension: ConfiguredExtension
  command: string | undefined
}

/** The extensions of a session: each is one process, started on demand, and again after it has exited. */
export class LivingExtensions implements AsyncDisposable {
  readonly #ui: ExtensionUi
  readonly #hosts = new Map<string, Promise<ExtensionHost>>()
  readonly #deaths = new Map<string, number>()
  readonly #told = new Map<ExtensionHost, number>()
  readonly #uis = new Set<ExtensionUi>()
  /** By extension: end of the queue of waiting answers. */
  readonly #turns = new Map<string, Promise<unknown>>()
  /** By extension: revision of the last message it has seen. */
  readonly #revisions = new Map<string, number>()

  constructor(private readonly options: LivingOptions) {
    this.#ui = options.ui ?? noUi('nobody answers dialogues of extensions here')
  }

  /**
   * Passes an answer through extensions one after the other. Changing nothing is no failure.
   *
   * @param wanted extensions in order
   * @throws HermesError where one is missing or fails: do not run the answer then
   */
  async rewrite(
    text: string, wanted: readonly (string | ExtensionSetting)[],
    { ui = this.#ui, signal, ...source }: RewriteContext,
  ): Promise<PreparedAnswer> {
    // Look up all before starting any.
    const steps = await Promise.all(wanted.map(async extension => stepOf(extension, this.options.quietMs)))
    this.#uis.add(ui)
    const rewrites: Rewrite[] = []
    const [texts, notes, warnings]: [string[], string[], string[]] = [[], [], []]
    let current = text
    for (const step of steps) {
      const { command, said, version, host, after } = await this.#inTurn(keyOf(step.extension), signal, async () => (
        this.#carryOut(step, { ...source, text: current }, ui, signal)
      ))
      const { name } = step.extension
      if (after !== current) {
        rewrites.push(await describeRewrite({
          extension: name, command, ...(version !== undefined && { version }),
        }, current, after))
        texts.push(after)
      }
      notes.push(`extension ${name}: `
        + `${said ?? (after === current ? 'left the text as it was' : 'changed the text')}`)
      warnings.push(...this.#news(host))
      current = after
    }
    return { text: current, original: text, rewrites, texts, notes, warnings }
  }

  /**
   * The verbs of an extension, which is started for that.
   *
   * @throws HermesError as `ExtensionHost.start`
   */
  async verbs(extension: ConfiguredExtension, signal: AbortSignal): Promise<readonly VerbDescription[]> {
    const host = await this.#hostOf(keyOf(extension), extension, signal)
    return host.introduction.capabilities?.verbs ?? []
  }

  /**
   * Calls one of its verbs.
   *
   * @throws HermesError as `ExtensionHost.executeVerb`, and as `ExtensionHost.start`
   */
  async executeVerb(extension: ConfiguredExtension, call: Omit<VerbCall, 'ui'>): Promise<unknown> {
    const host = await this.#hostOf(keyOf(extension), extension, call.signal)
    return host.executeVerb({ ...call, ui: this.#ui })
  }

  /** Ends all of them. */
  async [Symbol.asyncDispose](): Promise<void> {
    const hosts = await Promise.allSettled(this.#hosts.values())
    this.#hosts.clear()
    await Promise.all(hosts.map(async (host) => {
      if (host.status === 'rejected') return
      await host.value.stop()
      this.#news(host.value).forEach(line => this.options.onWarning?.(line))
    }))
    await Promise.all([...this.#uis].map(async ui => ui.close?.()))
  }

  /** Queues answers: which process handles the next one is only known when the previous is done. */
  async #inTurn<Result>(key: string, signal: AbortSignal, task: () => Promise<Result>): Promise<Result> {
    const before = this.#turns.get(key) ?? Promise.resolve()
    const mine = unlessAborted(before, signal).then(task)
    this.#turns.set(key, Promise.allSettled([before, mine]))
    return mine
  }

  async #carryOut({ extension, command }: Step, source: MessageSource, ui: ExtensionUi, signal: AbortSignal) {
    const { name, quietMs } = extension
    const key = keyOf(extension)
    for (;;) {
      const host = await this.#hostOf(key, extension, signal)
      const { capabilities, version } = host.introduction
      const chosen = command ?? onlyCommand(name, capabilities?.commands, this.options.prefix ?? '')
      // Revisions keep growing, so that a late change of an earlier answer matches no later one.
      const message = new Message(source, (this.#revisions.get(key) ?? 0) + 1)
      try {
        const { success, message: said } = await host.execute(
          chosen, { limitMs: this.options.limitMs, quietMs, signal, job: { message, ui } },
        )
        if (success) return { command: chosen, said, version, host, after: message.text }
        throw commandFailure(
          name, chosen, said, 'Nothing was run. hermes ext run --log shows what it writes to standard error.',
        )
      } catch (error) {
        if (host.hasMissed) continue
        // It may exit while the next answer arrives.
        if (host.isSpent) void host.stop(signal.aborted ? 'interrupted' : 'error')
        throw error
      } finally {
        this.#revisions.set(key, message.revision)
      }
    }
  }

  async #hostOf(key: string, extension: ConfiguredExtension, signal: AbortSignal): Promise<ExtensionHost> {
    const known = this.#hosts.get(key)
    const host = known === undefined ? this.#start(key, extension, signal) : this.#still(key, extension, known, signal)
    this.#hosts.set(key, host)
    host.catch(() => {
      if (this.#hosts.get(key) === host) this.#hosts.delete(key)
    })
    return host
  }

  /** The same process while it lives and works properly. */
  async #still(
    key: string, extension: ConfiguredExtension, known: Promise<ExtensionHost>, signal: AbortSignal,
  ): Promise<ExtensionHost> {
    const host = await known
    if (!host.isSpent) return host
    // An extension that exits after each command is fine.
    if (host.hasDied) this.#failed(key)
    await host.stop()
    return this.#start(key, extension, signal)
  }

  async #start(key: string, extension: ConfiguredExtension, signal: AbortSignal): Promise<ExtensionHost> {
    const deaths = this.#deaths.get(key) ?? 0
    if (deaths > MOST_DEATHS) throw new HermesError(
      'EXTENSION_FAILED',
      `Extension '${extension.name}' has failed ${deaths} times in this session and is not started again`,
      { hint: 'Mend it (hermes ext test NAME), then begin a new session.' },
    )
    const { root, onLog } = this.options
    try {
      return await ExtensionHost.start(hostOptions(extension, {
        root, message: new Message(), ui: noUi('no command is carried out'), onLog,
      }), signal)
    } catch (error) {
      if (!signal.aborted) this.#failed(key)
      throw error
    }
  }

  #failed(key: string): void {
    this.#deaths.set(key, (this.#deaths.get(key) ?? 0) + 1)
  }

  /** Its protocol errors since the last call. */
  #news(host: ExtensionHost): string[] {
    const { warnings } = host
    const news = warnings.slice(this.#told.get(host) ?? 0)
    this.#told.set(host, warnings.length)
    return news
  }
}

function keyOf({ name, command, env }: ConfiguredExtension): string {
  return JSON.stringify([name, command, env])
}

/** @throws HermesError `CANCELLED` as soon as the signal is aborted */
async function unlessAborted(before: Promise<unknown>, signal: AbortSignal): Promise<void> {
  await firstStop(before, { signal })
  if (signal.aborted) throw new HermesError('CANCELLED', 'The answer was cancelled while it waited for an extension')
}

/** @param given overrides the config, but not what a caller sets for this extension */
async function stepOf(wanted: string | ExtensionSetting, given: number | undefined): Promise<Step> {
  if (typeof wanted !== 'string') {
    const { name, command, run, env = {}, quietMs = given } = wanted
    return { extension: { name, command, env, quietMs }, command: run }
  }
  const [, name = wanted, command] = /^([^:]*):(.*)$/s.exec(wanted) ?? []
  const extension = await configuredExtension(name)
  return { extension: { ...extension, quietMs: given ?? extension.quietMs }, command }
}
