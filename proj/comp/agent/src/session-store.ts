import type { SessionStore } from './sessions.js'

export interface SessionStoreOptions {
  /** Default: `sessions` in `HERMES_HOME`, else in `~/.hermes`. */
  directory?: string
}

/** Conversations as append-only JSONL files, one a session (docs/agent.md). */
export function openSessionStore(_options: SessionStoreOptions = {}): SessionStore {
  return {
    open: () => Promise.reject(new Error('not there yet')),
    list: () => Promise.resolve([]),
    remove: () => Promise.resolve(),
  }
}
