import type { ActionResult, Rewrite } from '../../../../0-contracts/src/index.js'
import type { Message } from '../messages.js'

/** What is known of a kept conversation without reading all of it. */
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

/** What is said of a session when it is made. */
export type SessionMeta = Partial<Pick<SessionInfo, 'model' | 'root' | 'title'>>

/**
 * A call that has been asked for. `startLine` and `endLine` of results are lines of the answer (of calls their number).
 */
export interface RecordedCall {
  id: string
  tool: string
  parameters: Record<string, unknown>
}

/**
 * One record of a session, in the order things happened:
 *
 * - `message`: stands in the conversation from here on; one of the user names its unit, by which its runs are known
 * - `note`: something the model is to be told with the next message; `takenBack`: runs of which it knows by then that
 * they were taken back
 * - `part`: text of an answer that has come so far and not yet been ended by its `message`; written before a block of
 * it runs
 * - `calls`: about to run, each by itself or in one run; written before they do
 * - `start`, `result`: of one of them
 * - `rewritten`: what extensions made of the answer that is being worked on, `texts` what each of them left
 * - `replace`: the conversation from here on, since it was cleared, taken back, pruned or summarised
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
  /** A process took it up. */
  | { type: 'open'; pid: number; at: string }

/** A conversation that is kept; held by one process at a time. */
export interface Session {
  readonly info: SessionInfo
  /** What was kept before it was opened, in order. */
  readonly records: readonly SessionRecord[]
  /** Kept when it returns, also where the process is killed right after. */
  append(...records: SessionRecord[]): void
  /** Lets others open it. */
  close(): Promise<void>
}

/** Where conversations are kept. */
export interface SessionStore {
  /**
   * The session of that id; a new one where there is none.
   *
   * @throws HermesError `LOCKED` where another process has it open, `INVALID_OPTION` for an id that cannot name one
   */
  open(id: string, meta?: SessionMeta): Promise<Session>
  /** The one changed last first. */
  list(): Promise<SessionInfo[]>
  /** @throws HermesError `ENOENT`, `LOCKED` */
  remove(id: string): Promise<void>
}
