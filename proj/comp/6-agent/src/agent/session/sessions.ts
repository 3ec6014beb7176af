import type { ActionResult, Rewrite } from '../../../../0-contracts/src/index.js'
import type { Message } from '../messages.js'

/** What is known of a stored conversation without reading all of it. */
export interface SessionInfo {
  /** The task id: letters, digits, `.`, `_` and `-`, at most 128. */
  id: string
  /** Milliseconds since the epoch. */
  createdMs: number
  updatedMs: number
  model?: string
  root?: string
  /** The first line of the user's first message. */
  title?: string
}

/** Data given when a session is created. */
export type SessionMeta = Partial<Pick<SessionInfo, 'model' | 'root' | 'title'>>

/**
 * A requested call. `startLine` and `endLine` of its result are lines of the answer (for function calls, the call's
 * number).
 */
export interface RecordedCall {
  id: string
  tool: string
  parameters: Record<string, unknown>
}

/**
 * One record of a session, in chronological order:
 *
 * - `message`: a message of the conversation; one of the user names the unit of its runs
 * - `note`: a note for the model, to go with the next message; `takenBack`: runs that it reports as undone
 * - `part`: received text of an answer whose `message` has not come yet; written before a block of it runs
 * - `calls`: calls about to run, each by itself or in one run; written before they do
 * - `start`, `result`: of one of these calls
 * - `rewritten`: what extensions made of the current answer, `texts` after each of them
 * - `replace`: the conversation from here on, after it was cleared, undone, pruned or summarised
 */
export type SessionRecord =
  | { type: 'message'; message: Message; unit?: string }
  | { type: 'note'; text: string; takenBack?: string[] }
  | { type: 'part'; text: string; reasoning?: string }
  | { type: 'calls'; calls: RecordedCall[] }
  | { type: 'start'; id: string }
  | { type: 'result'; id: string; result: ActionResult }
  | {
    type: 'rewritten'; original: string; text: string; rewrites: readonly Rewrite[]; texts: readonly string[]
  }
  | { type: 'replace'; reason: 'cleared' | 'undone' | 'shortened'; messages: Message[] }
  /** A process opened the session. */
  | { type: 'open'; pid: number; at: string }

/** A stored conversation; held by one process at a time. */
export interface Session {
  readonly info: SessionInfo
  /** Records stored before it was opened, in order. */
  readonly records: readonly SessionRecord[]
  /** Stores records; they are on disk when it returns, even if the process is killed right after. */
  append(...records: SessionRecord[]): void
  /** Releases it, so that others can open it. */
  close(): Promise<void>
}

/** A store of conversations. */
export interface SessionStore {
  /**
   * Opens the session of an id; creates it where there is none.
   *
   * @throws HermesError `LOCKED` where another process has it open, `INVALID_OPTION` for an invalid id
   */
  open(id: string, meta?: SessionMeta): Promise<Session>
  /** Most recently changed first. */
  list(): Promise<SessionInfo[]>
  /** @throws HermesError `ENOENT`, `LOCKED` */
  remove(id: string): Promise<void>
}
