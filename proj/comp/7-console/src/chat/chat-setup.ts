import type { Agent, SessionStore } from '../../../6-agent/src/index.js'
import type { History, KeySource, ScreenOutput } from '../../../2-terminal/src/index.js'
import type { LineDiff, Palette } from '../../../1-reports/src/index.js'
import type { FileChange, PathGate } from '../../../0-contracts/src/index.js'
import type { UnitUndone } from '../../../3-transaction/src/index.js'
import type { Signs } from '../markdown/index.js'
import type { BannerFacts } from './banner.js'

/** What is done about files that were changed since by something else. */
export type UndoMode = 'leave' | 'keep' | 'merge'

/** The runs of a conversation: what they changed, and how they are taken back. */
export interface FileUndo {
  /** What was changed for these messages, against what is there now. @throws HermesError */
  changes(session: string, units: readonly string[]): Promise<readonly FileChange[]>
  /** Takes back what was changed for a message. @throws HermesError */
  undo(session: string, unit: string, mode: UndoMode, signal: AbortSignal): Promise<UnitUndone>
  /**
   * Takes back a file, or what is below a directory, to what it was before the last message that changed it.
   *
   * @returns `undefined` where no message did
   * @throws HermesError
   */
  undoFile(session: string, path: string, mode: UndoMode, signal: AbortSignal): Promise<UnitUndone | undefined>
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
  /** The terminal understands no escape sequences: lines below one another, and nothing changes. Default: it does. */
  isPlain?: boolean
  palette: Palette
  showReasoning: boolean
  /** What the model may read: for the completion of paths. @throws HermesError */
  gate(): Promise<PathGate>
  /** Takes secrets out of what is told to the model. */
  mask(text: string): string
  /** Answers are shown as Markdown reads, with these; as they were written without. */
  signs?: Signs | undefined
  /** Tells what is the same of the two texts of an edit. */
  lineDiff?: LineDiff | undefined
}
