import type { Agent, AgentOptions, SessionStore } from '../../../6-agent/src/index.js'
import type { ModelApi } from '../../../2-config/src/index.js'
import type { History, KeySource, ScreenOutput } from '../../../2-terminal/src/index.js'
import type { LineDiff, Palette } from '../../../1-reports/src/index.js'
import type { FileChange, PathGate } from '../../../0-contracts/src/index.js'
import type { UnitUndone } from '../../../3-transaction/src/index.js'
import type { Signs } from '../markdown/index.js'
import type { BannerFacts } from './banner.js'

/** What to do about files that something else has changed since. */
export type UndoMode = 'leave' | 'keep' | 'merge'

/** The changes of a conversation's runs, and undoing them. */
export interface FileUndo {
  /** What was changed for these messages, compared with the present files. @throws HermesError */
  changes(session: string, units: readonly string[]): Promise<readonly FileChange[]>
  /** Undoes what was changed for a message. @throws HermesError */
  undo(session: string, unit: string, mode: UndoMode, signal: AbortSignal): Promise<UnitUndone>
  /**
   * Restores a file, or everything below a directory, to its state before the last message that changed it.
   *
   * @returns `undefined` if no message changed it
   * @throws HermesError
   */
  undoFile(session: string, path: string, mode: UndoMode, signal: AbortSignal): Promise<UnitUndone | undefined>
}

export interface ChatOutput extends ScreenOutput {
  on(event: 'resize', listener: () => void): unknown
  off(event: 'resize', listener: () => void): unknown
}

export type ModelServer = Pick<AgentOptions, 'api' | 'baseURL' | 'apiKey' | 'headers'>

/** Settings of an agent that may change in a conversation. */
export interface AgentTold {
  model: string
  /** Default: the configured one. */
  server?: ModelServer
  personality: string | undefined
}

/** What a conversation needs of its program, at a terminal or elsewhere. */
export interface ConversationSetup {
  /** Makes an agent; called again when its system prompt changes. */
  createAgent(told: AgentTold): Agent
  /** The server with this API, and its key. @throws HermesError */
  server(api: ModelApi): Promise<ModelServer>
  model: string
  /** Id of the initial conversation. */
  taskId: string
  isResumed: boolean
  newTaskId(): string
  sessions: SessionStore
  facts: Omit<BannerFacts, 'model' | 'session' | 'tools' | 'skills'>
  skills(): Promise<readonly { name: string; description: string }[]>
  /** The initial personality. */
  personality: { name: string; text: string } | undefined
  /** Texts for the system prompt, by name. */
  personalities: Readonly<Record<string, string>>
  files: FileUndo
  /** Appends a line of training data to a file. @returns its path. @throws HermesError */
  save(taskId: string, line: string, file: string | undefined): Promise<string>
  /** The path gate for what the model may read. @throws HermesError */
  gate(): Promise<PathGate>
  /** Rewrites commands of hermes to the form in which the user types them. */
  typed(text: string): string
  /** Determines the width of printed rows. */
  output: Pick<ChatOutput, 'columns'>
  /** Set if the terminal supports no escape sequences: then lines are only appended. Default: it does. */
  isPlain?: boolean
  palette: Palette
  /** Masks secrets in texts for the model. */
  mask(text: string): string
}

/** Further needs of a chat at a terminal. */
export interface ChatSetup extends ConversationSetup {
  /** The user's first message. Default: none. */
  opening?: string | undefined
  history: History
  input: KeySource
  output: ChatOutput
  showReasoning: boolean
  /** Characters for rendering answers as Markdown; without them answers are shown as written. */
  signs?: Signs | undefined
  /** Aligns the two texts of an edit. */
  lineDiff?: LineDiff | undefined
}
