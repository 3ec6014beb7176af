import { once } from 'node:events'
import { HermesError, type ExtensionSetting, type Rewrite } from '../../../0-contracts/src/index.js'
import type { ConfiguredExtension } from '../../../2-config/src/index.js'
import type { VerbDescription } from '../kit/index.js'
import { commandFailure, configuredExtension, hostOptions, onlyCommand } from './configured-extension.js'
import { describeRewrite } from './describe-rewrite.js'
import { ExtensionHost } from './extension-host.js'
import { Message, type MessageSource } from './message.js'
import { noUi, type ExtensionUi } from './ui-port.js'
import type { VerbCall } from './verb-calls.js'

/** Deaths, and starts that failed, after which one is not started again in a session. */
const MOST_DEATHS = 3

export interface LivingOptions {
  /** Canonical. */
  root: string
  /** Of each command, its own time, without that of dialogues. Default: none. */
  limitMs?: number | undefined
  /** Silence that ends a command of one that announces no end, in place of `quiet` of the config. */
  quietMs?: number | undefined
  /** What stands before `NAME:COMMAND` in a call, for hints. */
  prefix?: string | undefined
  onLog?: ((text: string) => void) | undefined
  /** Who answers dialogues where no other is named. Default: nobody. */
  ui?: ExtensionUi | undefined
  /** Told what they did wrong after the last answer, one line each. */
  onWarning?: ((line: string) => void) | undefined
}

export interface RewriteContext extends Pick<MessageSource, 'editFormats' | 'startsInThink' | 'filePath'> {
  /** Who answers their dialogues, in place of who does for the session. */
  ui?: ExtensionUi | undefined
  signal: AbortSignal
}

/** An answer as extensions leave it. */
export interface PreparedAnswer {
  /** What is to run. */
  text: string
  /** What the model wrote. */
  original: string
  /** Who changed it, in their order. */
  rewrites: readonly Rewrite[]
  /** What each of these left; the last is `text`. */
  texts: readonly string[]
  /** What each says that it did, one line each; raw. */
  notes: readonly string[]
  /** What they did wrong though they work, one line each. */
  warnings: readonly string[]
}

interface Step {
  extension: ConfiguredExtension
  command: string | undefined
}

/** The extensions of a session: each is one process, started when it is first needed and again after it has ended. */
export class LivingExtensions implements AsyncDisposable {
  readonly #options: LivingOptions
  readonly #ui: ExtensionUi
  readonly #hosts = new Map<string, Promise<ExtensionHost>>()
  readonly #deaths = new Map<string, number>()
  readonly #told = new Map<ExtensionHost, number>()
  readonly #uis = new Set<ExtensionUi>()
  /** The last of the answers that wait for each. */
  readonly #turns = new Map<string, Promise<unknown>>()
  /** Of the last message that each has seen. */
  readonly #revisions = new Map<string, number>()

  constructor(options: LivingOptions) {
    this.#options = options
    this.#ui = options.ui ?? noUi('nobody answers dialogues of extensions here')
  }

  /**
   * An answer as the extensions leave it, one after the other. One that changes nothing is no failure.
   *
   * @param wanted in the order in which the answer goes through them
   * @throws HermesError where one is not there or fails: then nothing is to run
   */
  async rewrite(
    text: string, wanted: readonly (string | ExtensionSetting)[],
    { ui = this.#ui, signal, ...source }: RewriteContext,
  ): Promise<PreparedAnswer> {
    // All are looked up before one is started.
    const steps = await Promise.all(wanted.map(async one => stepOf(one, this.#options.quietMs)))
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

  /** What an extension brings for models to call, which starts it. @throws HermesError as `ExtensionHost.start` */
  async verbs(extension: ConfiguredExtension, signal: AbortSignal): Promise<readonly VerbDescription[]> {
    const host = await this.#hostOf(keyOf(extension), extension, signal)
    return host.introduction.capabilities?.verbs ?? []
  }

  /** Calls one of them. @throws HermesError as `ExtensionHost.executeVerb`, and as `ExtensionHost.start` */
  async executeVerb(extension: ConfiguredExtension, call: Omit<VerbCall, 'ui'>): Promise<unknown> {
    const host = await this.#hostOf(keyOf(extension), extension, call.signal)
    return host.executeVerb({ ...call, ui: this.#ui })
  }

  /** Ends all of them. */
  async [Symbol.asyncDispose](): Promise<void> {
    const hosts = await Promise.allSettled(this.#hosts.values())
    this.#hosts.clear()
    await Promise.all(hosts.map(async (one) => {
      if (one.status === 'rejected') return
      await one.value.stop()
      this.#news(one.value).forEach(line => this.#options.onWarning?.(line))
    }))
    await Promise.all([...this.#uis].map(async ui => ui.close?.()))
  }

  /** One answer after another: which process the next has, is known when the one before is done. */
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
      const chosen = command ?? onlyCommand(name, capabilities?.commands, this.#options.prefix ?? '')
      // So that a change of an earlier answer that names its revision fits no later one.
      const message = new Message(source, (this.#revisions.get(key) ?? 0) + 1)
      try {
        const { success, message: said } = await host.execute(
          chosen, { limitMs: this.#options.limitMs, quietMs, signal, job: { message, ui } },
        )
        if (success) return { command: chosen, said, version, host, after: message.text }
        throw commandFailure(
          name, chosen, said, 'Nothing was run. hermes ext run --log shows what it writes to standard error.',
        )
      } catch (error) {
        if (host.hasMissed) continue
        // It has time to end while the next answer comes.
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

  /** The same as long as it lives and does as it is told. */
  async #still(
    key: string, extension: ConfiguredExtension, known: Promise<ExtensionHost>, signal: AbortSignal,
  ): Promise<ExtensionHost> {
    const host = await known
    if (!host.isSpent) return host
    // One that ends after each command is as good.
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
    const { root, onLog } = this.#options
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

  /** What it did wrong since it was last asked. */
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

/** @throws HermesError `CANCELLED` as soon as that is so */
async function unlessAborted(before: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const waiting = new AbortController()
  const aborted = signal.aborted ? undefined : once(signal, 'abort', { signal: waiting.signal }).catch(() => undefined)
  await Promise.race([before, aborted])
  waiting.abort()
  if (signal.aborted) throw new HermesError('CANCELLED', 'The answer was cancelled while it waited for an extension')
}

/** @param given counts more than what the config says, less than what a caller says of the very extension */
async function stepOf(wanted: string | ExtensionSetting, given: number | undefined): Promise<Step> {
  if (typeof wanted !== 'string') {
    const { name, command, run, env = {}, quietMs = given } = wanted
    return { extension: { name, command, env, quietMs }, command: run }
  }
  const [, name = wanted, command] = /^([^:]*):(.*)$/s.exec(wanted) ?? []
  const extension = await configuredExtension(name)
  return { extension: { ...extension, quietMs: given ?? extension.quietMs }, command }
}
