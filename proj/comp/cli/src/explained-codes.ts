import type { ExplainedCode } from './explained-code.js'
import { CODES_FIRST } from './explained-codes-blocks.js'
import { CODES_SECOND } from './explained-codes-runs.js'

export const EXPLAINED: Readonly<Record<string, ExplainedCode>> = { ...CODES_FIRST, ...CODES_SECOND }

/** For `hermes help CODE`. */
export function explain(code: string): string {
  const { cause = 'The system said so.', fix = 'See the message.', example } = EXPLAINED[code] ?? {}
  const shown = example === undefined ? '' : `\nExample:\n${example.split('\n').map((line) => `    ${line}`.trimEnd()).join('\n')}\n`
  return `${code}\n\nCause: ${cause}\nFix:   ${fix}\n${shown}`
}
