import type {
  ExecutionResult, HermesEvent, HermesOptions, ModelResponse, ReadFormat,
} from '../../../0-contracts/src/index.js'
import type { ExecutorOptions, RunOptions } from '../../../5-executor/src/index.js'
import type { History, TerminalInputOptions } from '../../../2-terminal/src/index.js'

/** What the user had read besides. */
export interface OfferedFormats {
  formats: readonly ReadFormat[]
  /** With what was read before. */
  all: readonly ReadFormat[]
  isKept: boolean
}

/** Tells of one run. */
export interface RunReport {
  /** What else it is to be told. */
  options?: Pick<RunOptions, 'onOutput' | 'onProgress' | 'onRead'>
  event(event: HermesEvent): void
  end(result: ExecutionResult, told: { runId: string; isInterrupted: boolean }): void
}

/** What an interactive session needs of the program it is part of. */
export interface InteractiveSetup {
  /** Of all runs. */
  options: HermesOptions & Required<Pick<HermesOptions, 'root' | 'rootAliases'>>
  /** The extensions that work on each answer that is run or looked at; one process each for the session. */
  extending?: Partial<ExecutorOptions>
  input: TerminalInputOptions['input'] & NodeJS.ReadableStream
  output: TerminalInputOptions['output']
  /**
   * What somebody is at: `editor`: a terminal that can place its cursor; `plain`: one that cannot. Without one lines
   * are read to the end of the input, and what is left runs then.
   */
  terminal?: 'editor' | 'plain'
  /** Lines typed before; for `editor`. */
  history: History
  /** Who answers what a run asks, until the signal. */
  consent: (signal: AbortSignal) => Pick<HermesOptions, 'approve' | 'ui'>
  /** At a terminal: asks whether what an answer holds in formats that are off runs. */
  offer?: (
    answer: string | ModelResponse, reading: Pick<HermesOptions, 'editFormats'>, signal: AbortSignal,
  ) => Promise<OfferedFormats | undefined>
  /** Called before each run. @param signal stops it */
  reportRun: (signal: AbortSignal) => Promise<RunReport> | RunReport
  /** Shows the session's own words; the prompt too, where there is no editor. */
  tell: (text: string) => void
  /** A model's text as lines that cannot be taken for the session's own. */
  quote: (text: string) => string
  colour: boolean
  /** Runs another command of the program; what it cannot do, it says itself. */
  runCommand: (name: 'undo' | 'redo' | 'log' | 'tools', argv: readonly string[]) => Promise<void>
  /** @throws HermesError `NO_CLIPBOARD` */
  clipboard: { read(): Promise<string>; write(text: string): Promise<void> }
}
