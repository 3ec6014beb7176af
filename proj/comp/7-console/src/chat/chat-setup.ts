import type { Agent, SessionStore } from '../../../6-agent/src/index.js'
import type { History, KeySource, ScreenOutput } from '../../../2-terminal/src/index.js'
import type { Palette } from '../../../1-reports/src/index.js'
import type { BannerFacts } from './banner.js'

/** What runs changed since a moment, taken back. */
export interface FileUndo {
  /** Now, as a name for it. */
  mark(): Promise<string>
  /**
   * Takes back all runs since.
   *
   * @returns the paths that are as before, and what stays with its reason
   * @throws HermesError
   */
  undoSince(mark: string, signal: AbortSignal): Promise<{ restored: string[]; kept: string[] }>
}

export interface ChatOutput extends ScreenOutput {
  on(event: 'resize', listener: () => void): unknown
  off(event: 'resize', listener: () => void): unknown
}

/** What a chat needs of the program it is part of. */
export interface ChatSetup {
  /** Makes an agent; again where what stands in its system prompt changes. */
  createAgent(told: { model: string; personality: string | undefined }): Agent
  model: string
  /** The conversation that it begins with. */
  taskId: string
  isResumed: boolean
  /** What the user has said already. Default: nothing. */
  opening?: string | undefined
  newTaskId(): string
  sessions: SessionStore
  facts: Omit<BannerFacts, 'model' | 'session' | 'tools' | 'skills'>
  skills(): Promise<readonly { name: string; description: string }[]>
  /** The one it begins with. */
  personality: { name: string; text: string } | undefined
  /** By name, what stands in the system prompt. */
  personalities: Readonly<Record<string, string>>
  files: FileUndo
  /** Adds a line of training data to a file. @returns its path. @throws HermesError */
  save(taskId: string, line: string, file: string | undefined): Promise<string>
  history: History
  input: KeySource
  output: ChatOutput
  palette: Palette
  showReasoning: boolean
}
