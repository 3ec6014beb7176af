import type { AgentOptions } from '../loop-options.js'
import { DEFAULT_WINDOW, knownWindow } from './known-windows.js'
import type { ModelClient } from './model-client.js'
import { windowOfModels, windowOfProps, windowOfShow, type ServedWindow } from './served-window.js'

/** All of its answers together, in milliseconds: a server that is slow to say it is not waited for. */
const LONGEST_MS = 3000

/** How many tokens models take: what the user set; else what the server says; else by the name; else 128,000. */
export class WindowSize {
  readonly #client: ModelClient
  readonly #set: number | undefined
  /** By model; `undefined`: the server was asked, and did not say. */
  readonly #served = new Map<string, Promise<ServedWindow | undefined>>()
  readonly #known = new Map<string, number>()

  constructor(client: ModelClient, { contextWindow }: Pick<AgentOptions, 'contextWindow'>) {
    this.#client = client
    this.#set = contextWindow
  }

  /** As far as it is known by now. */
  of(model: string): number {
    return this.#set ?? this.#known.get(model) ?? knownWindow(model) ?? DEFAULT_WINDOW
  }

  /** Asks the server, once a model, where the user did not set it. Never fails. */
  async learn(model: string): Promise<void> {
    if (this.#set !== undefined) return
    const asked = this.#served.get(model) ?? this.#ask(model)
    this.#served.set(model, asked)
    const served = await asked
    if (served) this.#known.set(model, served.tokens)
  }

  async #ask(model: string): Promise<ServedWindow | undefined> {
    const signal = AbortSignal.timeout(LONGEST_MS)
    const list = await this.#client.look('models', signal)
    const listed = windowOfModels(list, model)
    if (listed?.isExact === true) return listed
    if (this.#client.isPublic) return listed
    const props = windowOfProps(await this.#client.look('/props', signal))
    if (props) return props
    // Whatever is no server of models gets no further document.
    const shown = list === undefined ? undefined : windowOfShow(await this.#client.look('/api/show', signal, { model }))
    return shown ?? listed
  }
}
