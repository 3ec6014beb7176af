import type { ExecutionResult } from '../../../../0-contracts/src/index.js'
import type { CodeFences } from '../../../../1-reading/src/index.js'
import type { PreparedAnswer } from '../../../../2-extensions/src/index.js'
import type { RunKeeper } from '../../../../2-transcripts/src/index.js'
import type { Continuation, Hermes, PlanRun } from '../../../../5-executor/src/index.js'
import type { LivePrinter, RunReport } from '../../../../7-output/src/index.js'
import type { Arguments } from '../../arguments.js'
import type { Interrupt } from '../../io/interrupt.js'
import { isStdin } from '../../io/read-input.js'
import type { Answer } from '../../io/saved-response.js'
import type { ApplyOptions } from '../../setup/apply-options.js'

/** One call of the command. */
export interface ApplyJob {
  args: Arguments
  /** Those of the plan, where one is carried out. */
  options: ApplyOptions
  dryRun: boolean
  /** Only JSON, or what the model is handed back, is printed. */
  quiet: boolean
  source: 'stdin' | 'clipboard' | 'known' | 'file'
  /** The answer, where it is known beforehand. */
  text: string | undefined
  interrupt: Interrupt
  report: RunReport
  plan: PlanRun | undefined
  keeper: RunKeeper | undefined
  going: Continuation | undefined
  printer: LivePrinter | undefined
  hermes: Hermes
  /** Extensions work on the answer before it runs. */
  isExtended: boolean
  /** What they made of it, once it was read. */
  prepared?: PreparedAnswer
}

/** What the run of it came to. */
export interface ApplyEnd {
  /** None of a dry run. */
  runId?: string
  /** What was run, where that is known as a whole. */
  answer?: Answer
  result: ExecutionResult
  /** Why the text could not be read to its end. */
  failure?: unknown
  /** Of the answer. */
  fences: CodeFences
}

/** The answer's, as the user named it; `undefined` for standard input and the clipboard. */
export function fileOf(args: Arguments): string | undefined {
  const [file] = args.positionals
  return isStdin(file) ? undefined : file
}
