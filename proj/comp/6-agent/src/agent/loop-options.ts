import type { HermesOptions } from '../../../0-contracts/src/index.js'
import type { ExecutorOptions } from '../../../5-executor/src/index.js'
import type { ModelApi } from '../../../2-config/src/index.js'
import type { SessionStore } from './session/sessions.js'

/** The forms of blocks a model is asked for with `style: 'blocks'`. */
export type BlocksFormat = 'sham' | 'envelope' | 'tool_call'

export type AutoCommit = 'none' | 'message' | 'run'

/** How a model is asked to call: by function calling, or with blocks in its text. */
export type CallStyle = 'native' | 'blocks'

/** Price of a million tokens, in whatever unit; costs are told in the same. */
export interface TokenPrice {
  input: number
  output: number
  /** Of input that the server had read before; default: as other input. */
  cached?: number | undefined
}

/**
 * Seed 003 `compression`: a conversation that fills the context window is made shorter before the next request. One
 * that the server refuses as too long is in any case.
 */
export interface Compression {
  /** Default true. */
  enabled?: boolean
  /** Share of the window that is filled then, from 0.1 to 0.95. Default 0.8. */
  threshold?: number
  /** Writes the summaries. Default: the model of the conversation. */
  summaryModel?: string
}

/** Options of `new Agent`; the names are those of seed 003's `AIAgent`. */
export interface AgentOptions
  extends Pick<
    HermesOptions, 'policy' | 'sandbox' | 'network' | 'approve' | 'ui' | 'allow' | 'gitCommit' | 'limits' | 'mapping'
    | 'waitMs' | 'extensions' | 'scheduler'
  >, Pick<ExecutorOptions, 'extensionUi' | 'extensionLimitMs' | 'extensionQuietMs'> {
  /**
   * Each `git_commit` of the model shows its message and files to the user first, and needs an approval. Default false.
   */
  confirmCommits?: boolean
  /** As the server calls it, e.g. `anthropic/claude-sonnet-4`. */
  model: string
  /**
   * What is committed unasked: nothing (the journal is the undo), each message's changes as one commit, or each run's.
   * With `gitCommit: false` nothing. Default `run`.
   */
  autoCommit?: AutoCommit
  /**
   * What the server speaks: chat completions, OpenAI's Responses, Anthropic's Messages. Default: `anthropic` for
   * `api.anthropic.com`, else `chat`.
   */
  api?: ModelApi
  /**
   * Default: `OPENROUTER_API_KEY`, else `OPENAI_API_KEY` of the environment; `ANTHROPIC_API_KEY` for
   * `api.anthropic.com`. A server of one's own may need none.
   */
  apiKey?: string
  /**
   * Default: with `api: 'anthropic'` `https://api.anthropic.com/v1`; else `OPENAI_BASE_URL`, else that of the service
   * whose key is there, else `https://openrouter.ai/api/v1`.
   */
  baseURL?: string
  /** Answers of the model for one message of the user, at most. Default 20. */
  maxTurns?: number
  /**
   * Asked where a message has used its turns: `true` gives it as many again. Default: the message ends.
   *
   * @param turns used so far
   */
  goOn?: (turns: number, signal: AbortSignal) => Promise<boolean>
  /**
   * Only verbs of these toolsets. Default: as the style needs (core tools and `edit_replace`; the vocabulary of the
   * blocks' format, of which the prompt tells what work on a project needs), tools of MCP servers, and skills where
   * there are any; what is not offered is unknown.
   */
  enabledToolsets?: readonly string[]
  /** No verb of these. */
  disabledToolsets?: readonly string[]
  /**
   * `native`: function calling. `blocks`: blocks in the text, each run while the answer still streams. Default
   * `native`, until the server says that the model supports no tools: then `blocks`.
   */
  style?: CallStyle
  /** With `blocks`: the form that the system prompt asks for; every form is run. Default `sham`. */
  blocksFormat?: BlocksFormat
  /** Where verbs and commands work, of tasks that name no other. Default: the working directory. */
  root?: string
  /** Stands before the instructions that a style needs. */
  systemPrompt?: string
  /**
   * The first prompt says where the model works: machine, date, git, sandbox, skills, and the notes that the project
   * has for it (`AGENTS.md`, `CLAUDE.md`). Default true.
   */
  surroundings?: boolean
  /** Tokens of the model's context window. Default: what the server says; else by the model's name; else 128,000. */
  contextWindow?: number
  /** When a conversation is made shorter by itself, and by which model. */
  compression?: Compression
  /** Greatest length of an answer, in tokens. Default: the server's. */
  maxTokens?: number
  /** Most tokens that the model is given of what one call gave. Default 10,000. */
  callTokens?: number
  temperature?: number
  /** How much the model thinks, in the server's words (`low`, `medium`, `high`, …). Default: the server's. */
  reasoningEffort?: string
  /** How often a request is made again after a failure that may pass. Default 5. */
  maxRetries?: number
  /** Longest wait before a retry, in milliseconds, also where the server asks for a longer one. Default 60,000. */
  maxRetryWaitMs?: number
  /** How long the server may be silent, in milliseconds. Default 300,000. */
  timeoutMs?: number
  /** Price of a million tokens, for the cost in `usage` events; of all models that `prices` does not name. */
  price?: TokenPrice
  /** By model: what is asked of another one (`Agent.model`) has its own price. */
  prices?: Readonly<Record<string, TokenPrice>>
  /**
   * Keeps each conversation as one line of ShareGPT in `trajectories/<task id>.jsonl` of the working directory, or in
   * this one.
   */
  saveTrajectories?: boolean | string
  /** Tells each request, answer and call on standard error. Default false. */
  verbose?: boolean
  /** Nothing at all on standard error. Default false: notices are told there. */
  quiet?: boolean
  /**
   * Where conversations are kept. Default: nowhere (`false`). `openSessionStore()` keeps them in `~/.hermes/sessions`.
   */
  sessions?: SessionStore | false
  /** Further headers of each request. */
  headers?: Readonly<Record<string, string>>
}

/** Options of one message. */
export interface ChatOptions {
  /**
   * Tasks share nothing: each has its own conversation, root, context, consents and shells. Default: one task for all
   * messages of the agent. Names the session too, so that a kept conversation goes on.
   */
  taskId?: string
  /** Cancels the request, and kills the running command. */
  signal?: AbortSignal
  /**
   * What the user wants to say in the middle of the answer: asked for when calls have run, and given to the model with
   * their results. `undefined`: nothing.
   */
  steer?: (() => string | undefined) | undefined
  /** Where the task works; only with its first message. Default: `AgentOptions.root`. */
  root?: string
}
