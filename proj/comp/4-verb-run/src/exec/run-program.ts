import { CappedOutput } from '../command-processes/index.js'
import { type ProcessOutcome, type ProcessRun, runProcess } from './run-process.js'

export interface ProgramRun extends ProcessRun {
  /** Most bytes kept of each output stream. */
  maxOutputBytes: number
}

export interface ProgramOutcome extends ProcessOutcome {
  stdout: string
  stderr: string
  /** Bytes left out of both streams together. */
  omittedBytes: number
}

/**
 * `runProcess` with the output kept in memory.
 * @throws Node's error when the program cannot be started (`ENOENT`, `EACCES`, …)
 */
export async function runProgram(run: ProgramRun): Promise<ProgramOutcome> {
  const stdout = new CappedOutput(run.maxOutputBytes)
  const stderr = new CappedOutput(run.maxOutputBytes)
  const outcome = await runProcess(run, { stdout, stderr })
  return { ...outcome, stdout: stdout.text(), stderr: stderr.text(), omittedBytes: stdout.omitted + stderr.omitted }
}
