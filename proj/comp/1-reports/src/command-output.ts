import type { ActionResult } from '../../0-contracts/src/index.js'

/** What a command printed, where a result (or a failure's data) has it. */
export interface CommandOutput {
  stdout: string
  stderr: string
  /** `null` when the command was stopped. */
  exitCode: number | null
}

export function commandOutput({ data }: ActionResult): CommandOutput | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { stdout, stderr, exit_code: exitCode } = data as Record<string, unknown>
  if (typeof stdout !== 'string' || typeof stderr !== 'string') return undefined
  return { stdout, stderr, exitCode: typeof exitCode === 'number' ? exitCode : null }
}
