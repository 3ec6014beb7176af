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
  /** Options of the run: with those of the plan, if one is carried out. */
  options: ApplyOptions
  dryRun: boolean
  /** Whether only JSON, or the reply for the model, is printed. */
  quiet: boolean
  source: 'stdin' | 'clipboard' | 'known' | 'file'
  /** The answer, if known beforehand. */
  text: string | undefined
  interrupt: Interrupt
  report: RunReport
  plan: PlanRun | undefined
  keeper: RunKeeper | undefined
  going: Continuation | undefined
  printer: LivePrinter | undefined
  hermes: Hermes
  /** Whether extensions change the answer before it runs. */
  isExtended: boolean
  /** What they made of it, once it was read. */
  prepared?: PreparedAnswer
}

/** The end of a run. */
export interface ApplyEnd {
  /** Absent in a dry run. */
  runId?: string
  /** The answer that ran, if it was read as a whole. */
  answer?: Answer
  result: ExecutionResult
  /** Why the text could not be read to its end. */
  failure?: unknown
  /** Code fences of the answer. */
  fences: CodeFences
}

/** The answer's file as the user named it; `undefined` for standard input and the clipboard. */
export function fileOf(args: Arguments): string | undefined {
  const [file] = args.positionals
  return isStdin(file) ? undefined : file
}
