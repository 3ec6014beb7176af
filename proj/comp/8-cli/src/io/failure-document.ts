import type { HermesError } from '../../../0-contracts/src/index.js'
import { EXIT } from '../exit-codes.js'
import { hasPrinted, printJson, printJsonLine } from './output.js'

/** What `--json` prints in place of a result. */
export interface FailureDocument {
  success: false
  /** Stable; `hermes help CODE` explains it. */
  code: string
  error: string
  hint: string
  data?: unknown
}

/** `document`: one of them is all that is printed; `lines`: one a line. */
export type JsonOutput = 'document' | 'lines'

const NO_HINT = 'The message says all that is known.'
const INTERRUPTED: FailureDocument = {
  success: false, code: 'CANCELLED', error: 'Interrupted', hint: 'Give the command again: nothing was printed of it.',
}
/** Of `EXIT` those that are not of a signal. */
const OWN_EXITS: readonly number[] = [EXIT.ok, EXIT.failed, EXIT.usage]

export function failureDocument({ code, message, hint, data }: HermesError): FailureDocument {
  return { success: false, code, error: message, hint: hint ?? NO_HINT, ...(data !== undefined && { data }) }
}

/** What the result of a run adds where the run as a whole was stopped, or its commit failed. */
export function fatalFields(
  { fatalError, results = [] }: {
    fatalError?: string | undefined
    results?: readonly { error?: string; code?: string; hint?: string }[]
  },
): Partial<FailureDocument> {
  if (fatalError === undefined) return {}
  const cause = results.find(({ error }) => error !== undefined && fatalError.startsWith(error))
  return { success: false, code: cause?.code ?? 'RUN_STOPPED', error: fatalError, hint: cause?.hint ?? NO_HINT }
}

/** A result that was printed already is the one document, and says itself that it failed. */
export function printFailure(document: FailureDocument, output: JsonOutput): void {
  if (output === 'lines') printJsonLine(document)
  else if (!hasPrinted()) printJson(document)
}

/** A signal may have ended the command before there was a result. */
export function printInterrupted(exitCode: number, output: JsonOutput | undefined): void {
  if (output === 'document' && !OWN_EXITS.includes(exitCode)) printFailure(INTERRUPTED, output)
}
