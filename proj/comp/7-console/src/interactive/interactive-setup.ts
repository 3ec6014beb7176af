import type {
  ExecutionResult, Given, HermesEvent, HermesOptions, ModelResponse, ReadFormat,
} from '../../../0-contracts/src/index.js'
import type { ExecutorOptions, RunOptions } from '../../../5-executor/src/index.js'
import type { History, TerminalInputOptions } from '../../../2-terminal/src/index.js'

/** Formats that the user chose to enable. */
export interface OfferedFormats {
  formats: readonly ReadFormat[]
  /** With those read before. */
  all: readonly ReadFormat[]
  isKept: boolean
}

/** Reports one run. */
export interface RunReport {
  /** Further callbacks for the run. */
  options?: Pick<RunOptions, 'onOutput' | 'onProgress' | 'onRead'>
  event(event: HermesEvent): void
  end(result: ExecutionResult, told: { runId: string; isInterrupted: boolean }): void
}

/** What an interactive session needs of its program. */
export interface InteractiveSetup {
  /** Options of all runs. */
  options: HermesOptions & Given<HermesOptions, 'root' | 'rootAliases'>
  /** Extensions for each answer that is run or shown; one process each for the session. */
  extending?: Partial<ExecutorOptions>
  input: TerminalInputOptions['input'] & NodeJS.ReadableStream
  output: TerminalInputOptions['output']
  /**
   * The user's terminal: `editor` if the cursor can be positioned, `plain` if not. Without one, input is read to its
   * end, and what is pending runs then.
   */
  terminal?: 'editor' | 'plain'
  /** Lines typed before; for `editor`. */
  history: History
  /** Makes the functions that answer a run's questions, until the signal is aborted. */
  consent: (signal: AbortSignal) => Pick<HermesOptions, 'approve' | 'ui'>
  /** At a terminal: asks whether blocks of an answer in disabled formats should run. */
  offer?: (
    answer: string | ModelResponse, reading: Pick<HermesOptions, 'editFormats'>, signal: AbortSignal,
  ) => Promise<OfferedFormats | undefined>
  /** Called before each run. @param signal cancels it */
  reportRun: (signal: AbortSignal) => Promise<RunReport> | RunReport
  /** Prints the session's own messages; also the prompt, if there is no editor. */
  tell: (text: string) => void
  /** Quotes a model's text, so that it cannot be mistaken for the session's own. */
  quote: (text: string) => string
  colour: boolean
  /** Runs another command of the program, which reports its own errors. */
  runCommand: (name: 'undo' | 'redo' | 'log' | 'tools', argv: readonly string[]) => Promise<void>
  /** @throws HermesError `NO_CLIPBOARD` */
  clipboard: { read(): Promise<string>; write(text: string): Promise<void> }
}
