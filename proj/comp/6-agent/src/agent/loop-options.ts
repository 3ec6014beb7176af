import type { HermesOptions } from '../../../0-contracts/src/index.js'
import type { ExecutorOptions } from '../../../5-executor/src/index.js'
import type { ModelApi } from '../../../2-config/src/index.js'
import type { ImageInput } from './image-input.js'
import type { SessionStore } from './session/sessions.js'

/** The block formats that a model can be told to write with `style: 'blocks'`. */
export type BlocksFormat = 'sham' | 'envelope' | 'tool_call'

export type AutoCommit = 'none' | 'message' | 'run'

/** How a model makes calls: by function calling, or as blocks in its text. */
export type CallStyle = 'native' | 'blocks'

/** Price of a million tokens, in any unit; costs are reported in the same. */
export interface TokenPrice {
  input: number
  output: number
  /** Price of input read from the server's cache; default: as other input. */
  cached?: number | undefined
}

/**
 * Shortening of a conversation that fills the context window, before the next request. A conversation that the server
 * refuses as too long is always shortened.
 */
export interface Compression {
  /** Default true. */
  enabled?: boolean
  /** Share of the window at which to shorten, from 0.1 to 0.95. Default 0.8. */
  threshold?: number
  /** Model that writes the summaries. Default: the model of the conversation. */
  summaryModel?: string
}

/** Limits for delegates. The model may ask for less; for more only where no limit is set here. */
export interface DelegateBounds {
  /** Most answers of one delegate; never more than the message has left. Default 15. */
  maxTurns?: number
  /**
   * Most tokens that all delegates of one message read and write together; checked between answers. Default 500,000.
   */
  maxTokens?: number
  /** Time limit of one delegate, in seconds. Default 600. */
  maxSeconds?: number
  /** Most files copied for one delegate. Default 50,000. */
  copyFiles?: number
  /** Most bytes of these files together. Default 1 GiB. */
  copyBytes?: number
}

/** Options of `new Agent`. */
export interface AgentOptions
  extends Pick<
    HermesOptions, 'policy' | 'sandbox' | 'network' | 'approve' | 'ui' | 'allow' | 'gitCommit' | 'limits' | 'mapping'
    | 'waitMs' | 'extensions' | 'scheduler'
  >, Pick<
    ExecutorOptions,
    'extensionUi' | 'extensionLimitMs' | 'extensionQuietMs' | 'onExtensionWarning' | 'changeTexts' | 'beforeWrite'
    | 'mcpServers'
  > {
  /**
   * Whether each `git_commit` of the model shows its message and files to the user and needs an approval. Default
   * false.
   */
  confirmCommits?: boolean | undefined
  /** Model name on the server, e.g. `anthropic/claude-sonnet-4`. */
  model: string
  /**
   * What is committed automatically: nothing (the journal serves for undo), each message's changes as one commit, or
   * each run's. With `gitCommit: false` nothing. Default `run`.
   */
  autoCommit?: AutoCommit | undefined
  /**
   * API of the server: chat completions, OpenAI's Responses, or Anthropic's Messages. Default: `anthropic` for
   * `api.anthropic.com`, else `chat`.
   */
  api?: ModelApi | undefined
  /**
   * Default: `OPENROUTER_API_KEY`, else `OPENAI_API_KEY` of the environment; `ANTHROPIC_API_KEY` for
   * `api.anthropic.com`. Self-hosted servers may need none.
   */
  apiKey?: string | undefined
  /**
   * Default: with `api: 'anthropic'` `https://api.anthropic.com/v1`; else `OPENAI_BASE_URL`, else the address of the
   * service whose key is set, else `https://openrouter.ai/api/v1`.
   */
  baseURL?: string | undefined
  /** Most answers of the model for one message of the user. Default 20. */
  maxTurns?: number | undefined
  /**
   * Called when a message has used up its turns: `true` grants as many again. Default: the message ends.
   *
   * @param turns used so far
   */
  goOn?: ((turns: number, signal: AbortSignal) => Promise<boolean>) | undefined
  /**
   * Offer only verbs of these toolsets; others are unknown. Default: by style (core tools and `edit_replace`; or the
   * vocabulary of the block format, of which the prompt describes the verbs that work on a project needs), with tools
   * of MCP servers, and with skills where there are any.
   */
  enabledToolsets?: readonly string[] | undefined
  /** Offer no verb of these toolsets. */
  disabledToolsets?: readonly string[] | undefined
  /**
   * `native`: function calling. `blocks`: blocks in the text, each run while the answer still streams. Default
   * `native`, until the server says that the model supports no tools: then `blocks`.
   */
  style?: CallStyle | undefined
  /** With `blocks`: the format that the system prompt asks for; every format is run. Default `sham`. */
  blocksFormat?: BlocksFormat | undefined
  /**
   * Limits within which the model may give parts of its task to delegates (`delegate`, `delegate_accept`). `false`:
   * these verbs are not offered. Default: it may.
   */
  delegate?: false | DelegateBounds | undefined
  /** Working directory of tasks that name no other. Default: the process's. */
  root?: string | undefined
  /** Text before the instructions that a style needs. */
  systemPrompt?: string | undefined
  /**
   * Whether the first prompt describes where the model works: machine, date, git, sandbox, skills, and the project's
   * notes (`AGENTS.md`, `CLAUDE.md`). Default true.
   */
  surroundings?: boolean | undefined
  /**
   * Size of the model's context window in tokens. Default: what the server says; else by the model's name; else
   * 128,000.
   */
  contextWindow?: number | undefined
  /** When a conversation is shortened automatically, and by which model. */
  compression?: Compression | undefined
  /** Longest answer, in tokens. Default: the server's. */
  maxTokens?: number | undefined
  /** Most tokens of one call's result passed to the model. Default 10,000. */
  callTokens?: number | undefined
  temperature?: number | undefined
  /** How much the model thinks, as a word of the server's (`low`, `medium`, `high`, …). Default: the server's. */
  reasoningEffort?: string | undefined
  /** Most retries of a request after a failure that may pass. Default 5. */
  maxRetries?: number | undefined
  /** Longest wait before a retry, in milliseconds, also where the server asks for a longer one. Default 60,000. */
  maxRetryWaitMs?: number | undefined
  /** How long the server may send nothing, in milliseconds. Default 300,000. */
  timeoutMs?: number | undefined
  /** Price for the cost in `usage` events, for models that `prices` does not name. */
  price?: TokenPrice | undefined
  /** Prices by model, for conversations that change models (`Agent.model`). */
  prices?: Readonly<Record<string, TokenPrice>> | undefined
  /**
   * Whether to save each conversation as one line of ShareGPT in `trajectories/<task id>.jsonl` of the working
   * directory; a text names another directory.
   */
  saveTrajectories?: boolean | string | undefined
  /** Whether to log each request, answer and call to standard error. Default false. */
  verbose?: boolean | undefined
  /** Whether to write nothing to standard error. Default false: notices are written. */
  quiet?: boolean | undefined
  /**
   * Where conversations are stored. Default: nowhere (`false`). `openSessionStore()` stores them in
   * `~/.hermes/sessions`.
   */
  sessions?: SessionStore | false | undefined
  /** Additional headers of each request. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** Options of one message. */
export interface ChatOptions {
  /**
   * Tasks share nothing: each has its own conversation, root, context, consents and shells. Default: one task for all
   * messages of the agent. It names the session too, so that a stored conversation continues.
   */
  taskId?: string | undefined
  /** Cancels the request, and kills the running command. */
  signal?: AbortSignal | undefined
  /**
   * Called when calls have run: text that the user wants to add in the middle of the answer, passed to the model with
   * the results. `undefined`: nothing.
   */
  steer?: (() => string | undefined) | undefined
  /** Images to show the model; stored with the conversation. At most 20, each of at most 3.75 MiB. */
  images?: readonly ImageInput[] | undefined
  /** Root of the task; only with its first message. Default: `AgentOptions.root`. */
  root?: string | undefined
}
