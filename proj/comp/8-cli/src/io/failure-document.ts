import type { HermesError } from '../../../0-contracts/src/index.js'
import { EXIT, hasPrinted, printJson, printJsonLine } from './output.js'

/** The document that `--json` prints instead of a result; the result of a stopped run has these fields too. */
export interface FailureDocument {
  success: false
  /** Stable; `hermes help CODE` explains it. */
  code: string
  error: string
  hint: string
  data?: unknown
}

/** What `--json` prints: one document, or one on each line (`watch`, `interactive`, `chat`). */
export type JsonOutput = 'document' | 'lines'

const NO_HINT = 'The message says all that is known.'
const INTERRUPTED: FailureDocument = {
  success: false, code: 'CANCELLED', error: 'Interrupted', hint: 'Give the command again: nothing was printed of it.',
}
/** Exit codes that do not come from a signal. */
const OWN_EXITS: readonly number[] = [EXIT.ok, EXIT.failed, EXIT.usage]

/** The document for an error that ended the command. */
export function failureDocument({ code, message, hint, data }: HermesError): FailureDocument {
  return { success: false, code, error: message, hint: hint ?? NO_HINT, ...(data !== undefined && { data }) }
}

/** Fields added to the result of a run that was stopped, or whose commit failed. */
export function fatalFields(
  { fatalError, results = [] }: {
    fatalError?: string | undefined
    results?: readonly { error?: string; code?: string; hint?: string }[]
  },
): Partial<FailureDocument> {
  if (fatalError === undefined) return {}
  // A run stopped by a block's error has that as `fatalError`, possibly with the hint behind it (`beginBlock`).
  const cause = results.find(({ error }) => error !== undefined && fatalError.startsWith(error))
  return { success: false, code: cause?.code ?? 'RUN_STOPPED', error: fatalError, hint: cause?.hint ?? NO_HINT }
}

/** Prints an error. If a result was printed already, that is the one document, and reports the failure itself. */
export function printFailure(document: FailureDocument, output: JsonOutput): void {
  if (output === 'lines') printJsonLine(document)
  else if (!hasPrinted()) printJson(document)
}

/** Prints an error for a signal that ended the command before there was a result; not where lines are printed. */
export function printInterrupted(exitCode: number, output: JsonOutput | undefined): void {
  if (output === 'document' && !OWN_EXITS.includes(exitCode)) printFailure(INTERRUPTED, output)
}
