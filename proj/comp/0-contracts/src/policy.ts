import type { Checks } from './checks.js'
import type { PathAccess } from './files.js'
import type { HookMoment, HookOptions } from './hooks.js'
import type { LanguageServer, LanguageServerOptions } from './language-servers.js'
import type { McpServer, McpServerOptions } from './mcp-servers.js'
import type { MappingName } from './mapping-names.js'
import type { Permission } from './permission.js'
import type { ReadFormat } from './read-formats.js'

/**
 * What `verbs:` of a policy switches. `exec`: every verb that starts programs; `network`: what those programs may
 * reach.
 */
export type PolicyClass = 'read' | 'write' | 'exec' | 'git' | 'network'

/** Sandbox of commands on this machine; `auto`: the first of bubblewrap and `unshare` that works here. */
export type SandboxMode = 'auto' | 'bwrap' | 'unshare' | 'none'

/** Where commands run (`terminal:`); only the user's config sets it, never a project's. */
export interface TerminalSettings {
  backend?: 'local' | 'docker' | 'singularity' | 'modal' | 'ssh' | undefined
  /** Working directory of commands there; default: the backend's. */
  cwd?: string | undefined
  docker_image?: string | undefined
  singularity_image?: string | undefined
  modal_image?: string | undefined
}

/** Sizes in bytes or as `10MB`, times in seconds or as `90s`, `5m`. */
export interface PolicyLimits {
  file_size?: number | string | undefined
  output_size?: number | string | undefined
  command_time?: number | string | undefined
  run_time?: number | string | undefined
  blocks?: number | undefined
  written?: number | string | undefined
  processes?: number | undefined
  memory?: number | string | undefined
}

/** The content of `hermes.yaml` and `~/.hermes/config.yaml`; docs/policy.md describes each field. */
export interface PolicyOptions {
  roots?: readonly string[] | undefined
  allow?: readonly string[] | undefined
  deny?: readonly string[] | undefined
  read_only?: readonly string[] | undefined
  readable?: readonly string[] | undefined
  /** `network` may also be a list: the hosts that commands may reach. */
  verbs?: { [K in Exclude<PolicyClass, 'network'>]?: Permission | undefined }
    & { network?: Permission | readonly string[] | undefined } | undefined
  limits?: PolicyLimits | undefined
  command_allowlist?: readonly string[] | undefined
  env?: readonly string[] | undefined
  /** As the option `editFormats`, which overrides it. */
  dialects?: readonly ReadFormat[] | undefined
  /** As the option `mapping`, which overrides it; `none`: no project can choose one. */
  mapping?: MappingName | 'auto' | 'none' | undefined
  /** Most tokens of a reply to the model: for a whole answer, and for one call. */
  reply?: { tokens?: number | undefined; call_tokens?: number | undefined } | undefined
  sandbox?: SandboxMode | undefined
  terminal?: TerminalSettings | undefined
  /** By server name. */
  mcp_servers?: Readonly<Record<string, McpServerOptions>> | undefined
  /** By server name; docs/language-servers.md. */
  language_servers?: Readonly<Record<string, LanguageServerOptions>> | undefined
  /** Commands to run around each run; docs/hooks.md. */
  hooks?: { [K in HookMoment]?: readonly HookOptions[] | undefined } | undefined
  /** Projects whose hooks run without asking: `DIRECTORY`, or `DIRECTORY@HASH` for exactly its present hooks. */
  trusted_hooks?: readonly string[] | undefined
  _config_version?: number | undefined
}

/**
 * What policy files add to the path gate. Paths have their links resolved; `below` is the path relative to the root or
 * to the `--allow` directory.
 */
export interface PathPolicy {
  /**
   * Why the policy denies a path, to stand in the parentheses of "Path is denied: p (…)"; `undefined` where it does
   * not.
   *
   * @param isDirectory only called where the answer depends on it
   */
  denies(path: string, below: string, access: PathAccess, isDirectory: () => boolean): string | undefined
  /** Whether the user allowed reading it (`readable`) although it looks like a secret. */
  opens(path: string, below: string): boolean
}

/** A setting, and where it comes from: `hermes.yaml:7`, or `undefined` for a default, an option or a flag. */
export interface Ruling<Value> {
  value: Value
  by: string | undefined
}

/** A setting that comes from a config file. */
export interface KeptChoice<Value> extends Ruling<Value> {
  by: string
  /** Only a project's file sets it, not the user's. */
  isOfProject: boolean
}

/** What config files say about reading, checking and answering a model's text; options override it. */
export interface KeptReading {
  formats: readonly KeptChoice<ReadFormat>[]
  mapping?: KeptChoice<MappingName | 'auto'>
  checks?: KeptChoice<Checks>
  /** Most tokens of a reply. */
  replyTokens?: KeptChoice<number>
  /** Most tokens of the reply to one call. */
  callTokens?: KeptChoice<number>
}

/** The policy that verbs obey: the user's and the project's merged, with options and flags. */
export interface Policy {
  readonly verbs: Readonly<Record<PolicyClass, Ruling<Permission>>>
  /** The only hosts that commands reach where `verbs.network` permits the network; absent: all hosts. */
  readonly hosts?: Ruling<readonly string[]>
  /** `auto` where neither policy, option nor flag sets it. */
  readonly sandbox: Ruling<SandboxMode>
  /** Names of dangerous patterns, and exact calls, that need no approval. */
  readonly commandAllowlist: readonly string[]
  /** Whether commands get this environment variable besides the usual ones. */
  readonly passesEnv: (name: string) => boolean
  readonly terminal: TerminalSettings
  /** From the user's config only: each is a program without a sandbox, or a remote service that gets data. */
  readonly mcpServers?: readonly McpServer[]
  /** From the user's config only; they run in the sandbox and cannot write. */
  readonly languageServers?: readonly LanguageServer[]
}
