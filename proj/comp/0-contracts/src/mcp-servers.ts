import type { Permission } from './permission.js'

/** An MCP server whose tools verbs may call, as the user's policy file names it; times in seconds or as `90s`, `5m`. */
export interface McpServerOptions {
  /**
   * Program that speaks the protocol on standard input and output: of PATH, or a path that starts with `/` or `~`.
   * `url` in its place for one that is reached by HTTP.
   */
  command?: string | undefined
  args?: readonly string[] | undefined
  /** Variables it gets beside the usual ones; `${NAME}` stands for one of hermes' own. */
  env?: Readonly<Record<string, string>> | undefined
  /** Where it starts, a relative one from the root; default a private empty directory. */
  cwd?: string | undefined
  url?: string | undefined
  /** Of every request; `${NAME}` as in `env`. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Whether its tools are called: `ask` (default) for an approval of each call, `on`, or `off`. */
  calls?: Permission | undefined
  /** Patterns of names; other tools are not offered. Default all. */
  tools?: readonly string[] | undefined
  start_time?: number | string | undefined
  call_time?: number | string | undefined
  /** Bytes of memory that it may hold with all that it starts, or `2GB` (Linux). Default 8 GB. */
  memory?: number | string | undefined
}

/** One of them, checked. */
export interface McpServer extends Omit<McpServerOptions, 'calls' | 'start_time' | 'call_time' | 'memory'> {
  name: string
  calls: Permission
  startMs: number
  callMs: number
  mostMemoryBytes?: number | undefined
  /** Where it stands: `~/.hermes/config.yaml:7`. */
  by: string
}
