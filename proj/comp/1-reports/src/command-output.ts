import type { ActionResult } from '../../0-contracts/src/index.js'

/** What a command printed, where a result (or a failure's data) has it; `exitCode` is `null` where it was stopped. */
export function commandOutput(
  { data }: ActionResult,
): { stdout: string; stderr: string; exitCode: number | null } | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { stdout, stderr, exit_code: exitCode } = data as Record<string, unknown>
  if (typeof stdout !== 'string' || typeof stderr !== 'string') return undefined
  return { stdout, stderr, exitCode: typeof exitCode === 'number' ? exitCode : null }
}
