import type { AnyVerb } from './verbs.js'

/** Verbs that are no part of the registry: tools of MCP servers, under `mcp.<server>.<tool>`. */
export interface RemoteVerbs {
  /**
   * Starts the server where it does not run yet.
   *
   * @returns `undefined` where no server or no tool is so called
   * @throws HermesError `SERVER_FAILED`, `NOT_INSTALLED`, `TIMEOUT`, `POLICY_DENIED`, `CANCELLED`
   */
  load(name: string, signal: AbortSignal): Promise<AnyVerb | undefined>
  /** What to write instead of a name that is not known. */
  hint(name: string): string
  /** Ends the servers that were started. */
  close(): Promise<void>
}
