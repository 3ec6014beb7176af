import type { Agent, AgentOptions, SessionStore } from '../../6-agent/src/index.js'
import type { AgentTold, ConversationSetup } from '../../7-console/src/index.js'
import type { Masker } from '../../0-text/src/index.js'

/** The official SDK: only `hermes acp` loads it. */
export type Sdk = typeof import('@agentclientprotocol/sdk')

/** Where a session works, as its client says. */
export interface SessionPlace {
  /** Absolute. */
  root: string
  /** Further directories that may be read and written. */
  allow: readonly string[]
}

/** What a session has of the user's settings, for its place. */
export interface OpenedPlace extends Pick<
  ConversationSetup,
  'model' | 'server' | 'personality' | 'personalities' | 'facts' | 'skills' | 'files' | 'gate' | 'typed' | 'save'
> {
  /** @param further what the session adds */
  createAgent(told: AgentTold, further: Partial<AgentOptions>): Agent
  /** Which toolsets the user chose; `undefined`: none in particular. */
  toolsets: readonly string[] | undefined
  masker: Masker
}

/** What `hermes acp` needs of the program it is part of. */
export interface AcpSetup {
  /** Of hermes; clients are told. */
  version: string
  /** Sessions begin with approvals given (`--yes`). */
  yes: boolean
  sessions: SessionStore
  newTaskId(): string
  /** Reads the user's settings: those of now. @throws HermesError */
  openPlace(place: SessionPlace): Promise<OpenedPlace>
}
