import { valueAt } from '../../../../0-text/src/index.js'
import type { AgentOptions } from '../loop-options.js'
import type { ModelClient } from './model-client.js'
import { windowOfModels, windowOfProps, windowOfShow, type ServedWindow } from './served-window.js'

/** Time limit for asking the server, in milliseconds, all requests together. */
const LONGEST_MS = 3000
/** Tokens of a model's context window, where nothing is known of it. */
const DEFAULT_WINDOW = 128_000

/** By beginnings of names, without who hosts them; the first that fits. As their makers' pages had it in 2025. */
const WINDOWS: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/^claude/, 200_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-5/, 400_000],
  [/^(?:gpt-4o|gpt-4-turbo|chatgpt-4o|gpt-oss)/, 128_000],
  [/^gpt-4/, 8192],
  [/^gpt-3\.5/, 16_385],
  [/^o[134](?:-|$)/, 200_000],
  [/^gemini-(?:1\.5|2|3)/, 1_048_576],
  [/^grok-4/, 256_000],
  [/^(?:grok|deepseek|kimi|llama-?3\.[123]|qwen-?3|mistral-(?:large|medium|small)|glm-4)/, 128_000],
  [/^(?:qwen-?2|mistral|mixtral|codestral)/, 32_768],
  [/^(?:llama-?3|gemma-?2)/, 8192],
]

/** Context window of models: what the user set; else what the server says; else by name; else 128,000 tokens. */
export class WindowSize {
  readonly #set: number | undefined
  /** By model; `undefined`: the server was asked, and did not say. */
  readonly #served = new Map<string, Promise<ServedWindow | undefined>>()
  readonly #known = new Map<string, number>()

  constructor(private readonly client: ModelClient, { contextWindow }: Pick<AgentOptions, 'contextWindow'>) {
    this.#set = contextWindow
  }

  /** The window as far as known now. */
  of(model: string): number {
    // By its name (`anthropic/claude-sonnet-4`, `llama3.1:8b`), where that tells anything.
    const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
    const ofName = WINDOWS.find(([known]) => known.test(name))?.[1]
    return this.#set ?? this.#known.get(model) ?? ofName ?? DEFAULT_WINDOW
  }

  /** Asks the server, once for each model, unless the user set the window. Never fails. */
  async learn(model: string): Promise<void> {
    if (this.#set !== undefined) return
    const served = await valueAt(this.#served, model, () => this.#ask(model))
    if (served) this.#known.set(model, served.tokens)
  }

  async #ask(model: string): Promise<ServedWindow | undefined> {
    const signal = AbortSignal.timeout(LONGEST_MS)
    const list = await this.client.look('models', signal)
    const listed = windowOfModels(list, model)
    if (listed?.isExact === true || this.client.isPublic) return listed
    const props = windowOfProps(await this.client.look('/props', signal))
    if (props) return props
    // Post nothing to a server that has no list of models.
    const shown = list === undefined ? undefined : windowOfShow(await this.client.look('/api/show', signal, { model }))
    return shown ?? listed
  }
}
