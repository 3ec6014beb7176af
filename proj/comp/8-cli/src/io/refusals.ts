import { HermesError } from '../../../0-contracts/src/index.js'
import type { Arguments } from '../arguments.js'
import { failureDocument } from './failure-document.js'
import type { Interrupt } from './interrupt.js'
import { described, EXIT, printError, printJson } from './output.js'

/** What is wrong with the command line rather than with the root or its repository. */
const USAGE_CODES = new Set(['INVALID_OPTION', 'MISSING_PARAMETER'])

/** Runs a command that may find that it cannot do what it was asked for: then it says why, in JSON too. */
export async function withRefusals(
  args: Arguments, interrupt: Interrupt, task: () => Promise<number>,
): Promise<number> {
  try {
    const code = await interrupt.during(task)
    return interrupt.exitCode ?? code
  } catch (error) {
    if (!isRefusal(error)) throw error
    refuse(error, args.has('json'))
    return interrupt.exitCode ?? EXIT.failed
  }
}

/** Something that could not be done, rather than a command line that is wrong. */
export function isRefusal(error: unknown): error is HermesError {
  return error instanceof HermesError && !USAGE_CODES.has(error.code)
}

export function refuse(error: HermesError, asJson: boolean): void {
  if (asJson) printJson(failureDocument(error))
  else printError(described(error))
}
