import type { ExecutionResult, HermesEvent } from '../../../0-contracts/src/index.js'
import type { ReplayReport, SameTranscript } from '../../../6-replay/src/index.js'

/** What a report is of: a run of `hermes apply`, or a replay. */
export type ReportKind = 'run' | 'replay'

/** A format of reports: a file in `formats/`, and a row in `report-formats.ts`. What it needs is loaded at its use. */
export interface ReportFormat {
  /** Of files, in lower case; the first is the one that is offered. */
  extensions: readonly [string, ...string[]]
  /** Behind the name of the file wherever it is offered: what the format is called. */
  called?: string
  /** Behind the name of the file in help: what it is for. */
  note?: string
  /** Absent: it shows no runs. @throws HermesError where something is missing; asked before anything runs */
  run?: (place: RunPlace) => Promise<RunRenderer>
  /** Absent: it shows no replays. */
  replay?: () => Promise<(report: ReplayReport, same: readonly SameTranscript[]) => string | Promise<string>>
}

/** Where a run takes place. */
export interface RunPlace {
  root: string
  rootAliases: readonly string[]
  /** That the answer is read from, as the user named it; absent for standard input and the clipboard. */
  file?: string | undefined
}

export interface RunRenderer {
  /** It needs the whole answer, the texts that changed, and what is told while the run goes on. */
  event?: (event: HermesEvent) => void
  render(end: RunEnd): string
}

export interface RunEnd {
  result: ExecutionResult
  /** Empty where the format does not listen. */
  answer: string
  /** What `--json` prints. */
  document: object
}
