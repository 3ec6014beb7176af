import { HermesError, isNodeError, type CommandSandbox, type ProgramCall } from '../../../0-contracts/src/index.js'
import { cancelled } from './outcome.js'
import { type ProgramOutcome, type ProgramRun, runProgram } from './run-program.js'

/** A run of whichever program is there. */
export interface FirstRun extends Omit<ProgramCall, 'file' | 'verb'>, Omit<ProgramRun, 'program'> {
  sandbox: CommandSandbox
}

/**
 * Runs the first of the programs that is there.
 * @param notFound the error where none is
 * @throws HermesError `CANCELLED`, or Node's code where a program is there but cannot be started
 */
export async function runFirst(
  verb: string, programs: readonly string[], run: FirstRun, notFound: () => HermesError,
): Promise<ProgramOutcome> {
  for (const file of programs) {
    if (run.signal.aborted) throw cancelled(verb)
    try {
      const program = await run.sandbox.confine({ ...run, verb, file })
      const outcome = await runProgram({ ...run, program })
      const { exitCode, stdout, stderr } = outcome
      if (stdout !== '' || program.wasMissing?.(exitCode, stderr) !== true) return outcome
    } catch (error) {
      if (!isNodeError(error)) throw error
      if (error.code !== 'ENOENT') throw notStarted(verb, file, error)
    }
  }
  throw notFound()
}

/** The error for a program that is there but cannot be started. */
export function notStarted(
  verb: string, program: string, error: Error & { code: string },
  hint = `Check that ${program} may be executed and that its environment is not too large.`,
): HermesError {
  return new HermesError(error.code, `${verb}: ${program} could not be started (${error.code})`, { cause: error, hint })
}
