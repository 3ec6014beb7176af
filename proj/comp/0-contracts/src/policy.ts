import type { Checks } from './checks.js'
import type { PathAccess } from './files.js'
import type { HookMoment, HookOptions } from './hooks.js'
import type { McpServer, McpServerOptions } from './mcp-servers.js'
import type { MappingName } from './mapping-names.js'
import type { Permission } from './permission.js'
import type { ReadFormat } from './read-formats.js'

/** What a policy switches. `exec`: every verb that starts programs; `network`: what those may reach. */
export type PolicyClass = 'read' | 'write' | 'exec' | 'git' | 'network'

export type SandboxMode = 'auto' | 'bwrap' | 'unshare' | 'none'

/** Where commands run (seed 003 `terminal`); a setting of the user, never of a project. */
export interface TerminalSettings {
  backend?: 'local' | 'docker' | 'singularity' | 'modal' | 'ssh' | undefined
  /** Working directory there; the backend has a default. */
  cwd?: string | undefined
  docker_image?: string | undefined
  singularity_image?: string | undefined
  modal_image?: string | undefined
}

/** Sizes in bytes or as `10MB`, times in seconds or as `90s`, `5m`. */
export interface PolicyLimits {
  file_size?: number | string
  output_size?: number | string
  command_time?: number | string
  run_time?: number | string
  blocks?: number
  written?: number | string
  processes?: number
  memory?: number | string
}

/** What `hermes.yaml` and `~/.hermes/config.yaml` hold, as data; docs/policy.md describes each field. */
export interface PolicyOptions {
  roots?: readonly string[]
  allow?: readonly string[]
  deny?: readonly string[]
  read_only?: readonly string[]
  readable?: readonly string[]
  verbs?: Partial<Record<PolicyClass, Permission>>
  limits?: PolicyLimits
  command_allowlist?: readonly string[]
  env?: readonly string[]
  /** As the option `editFormats`, which counts before it. */
  dialects?: readonly ReadFormat[]
  /** As the option `mapping`, which counts before it; `none`: no project chooses one. */
  mapping?: MappingName | 'auto' | 'none'
  /** Most tokens of what models are told: of an answer, and of one call. */
  reply?: { tokens?: number; call_tokens?: number }
  sandbox?: SandboxMode
  terminal?: TerminalSettings
  /** By name. */
  mcp_servers?: Readonly<Record<string, McpServerOptions>>
  /** Commands around each run; docs/hooks.md. */
  hooks?: Partial<Record<HookMoment, readonly HookOptions[]>>
  /** Projects whose hooks run unasked: `DIRECTORY`, or `DIRECTORY@HASH` for the hooks it has now. */
  trusted_hooks?: readonly string[]
  _config_version?: number
}

/** What policy files add to the path gate. Paths are canonical; `below` is the part below the root or `--allow`. */
export interface PathPolicy {
  /**
   * Completes "Path is denied: p (…)"; `undefined` where the policy has nothing against it.
   *
   * @param isDirectory asked only where it matters
   */
  denies(path: string, below: string, access: PathAccess, isDirectory: () => boolean): string | undefined
  /** The user opened it for reading though it looks like a secret (`readable`). */
  opens(path: string, below: string): boolean
}

/** What holds, and who said so: `hermes.yaml:7`, or `undefined` for a default, an option or a flag. */
export interface Ruling<Value> {
  value: Value
  by: string | undefined
}

/** What a file says. */
export interface KeptChoice<Value> extends Ruling<Value> {
  by: string
  /** Only a project's file says so. */
  isOfProject: boolean
}

/** How files say that answers are read, checked and replied to, where no option does. */
export interface KeptReading {
  formats: readonly KeptChoice<ReadFormat>[]
  mapping?: KeptChoice<MappingName | 'auto'>
  checks?: KeptChoice<Checks>
  /** Bound of a reply. */
  replyTokens?: KeptChoice<number>
  /** Bound of what models are told of one call. */
  callTokens?: KeptChoice<number>
}

/** What verbs have to keep to: the user's policy and the project's in one, with options and flags. */
export interface Policy {
  readonly verbs: Readonly<Record<PolicyClass, Ruling<Permission>>>
  /** Without policy, option or flag `auto`. */
  readonly sandbox: Ruling<SandboxMode>
  /** Names of dangerous patterns that need no approval. */
  readonly commandAllowlist: readonly string[]
  /** Variables of the environment that commands get beyond the usual ones. */
  readonly passesEnv: (name: string) => boolean
  readonly terminal: TerminalSettings
  /** Only the user names them: each is a program that runs without a sandbox, or a place that data is sent to. */
  readonly mcpServers?: readonly McpServer[]
}
