import type { ExecutionResult, HermesEvent } from '../../../0-contracts/src/index.js'
import type { ReplayReport, SameTranscript } from '../../../6-replay/src/index.js'

/** Subject of a report: a run of `hermes apply`, or a replay. */
export type ReportKind = 'run' | 'replay'

/** A report format: a file in `formats/`, and a row in `report-formats.ts`. Its code is loaded at first use. */
export interface ReportFormat {
  /** File extensions in lower case; the first is the one offered. */
  extensions: readonly [string, ...string[]]
  /** Name of the format, shown after the file name. */
  called?: string
  /** Purpose of the format, shown after the file name in help. */
  note?: string
  /**
   * Absent if the format cannot show runs. @throws HermesError where something is missing; called before anything runs
   */
  run?: (place: RunPlace) => Promise<RunRenderer>
  /** Absent if the format cannot show replays. */
  replay?: () => Promise<(report: ReplayReport, same: readonly SameTranscript[]) => string | Promise<string>>
}

/** Where a run takes place. */
export interface RunPlace {
  root: string
  rootAliases: readonly string[]
  /** The answer's file as the user named it; absent for standard input and the clipboard. */
  file?: string | undefined
}

export interface RunRenderer {
  /** Present if the format needs the whole answer, changed texts, and the events of the run. */
  event?: (event: HermesEvent) => void
  render(end: RunEnd): string
}

export interface RunEnd {
  result: ExecutionResult
  /** Empty if the format does not listen. */
  answer: string
  /** The document that `--json` prints. */
  document: object
}
