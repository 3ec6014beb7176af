import type { ExplainedCode } from './explained-code.js'
import { CODES_FIRST } from './explained-codes-blocks.js'
import { CODES_SECOND } from './explained-codes-runs.js'
import { SESSIONS } from './explained-sessions.js'

export const EXPLAINED: Readonly<Record<string, ExplainedCode>> = Object.fromEntries(
  Object.entries({ ...CODES_FIRST, ...CODES_SECOND }).map(([code, texts]) => {
    const session = SESSIONS[code]
    return [code, { ...texts, ...(session !== undefined && { session }) }]
  }),
)

/** For `hermes help CODE`; the example, which is copied, apart. */
export function explain(code: string): { told: string; example: string } {
  const { cause = 'The system said so.', fix = 'See the message.', session, example = session } = EXPLAINED[code] ?? {}
  const shown = example === undefined ? ''
    : `\nExample:\n${example.split('\n').map((line) => `    ${line}`.trimEnd()).join('\n')}\n`
  return { told: `${code}\n\nCause: ${cause}\nFix:   ${fix}\n`, example: shown }
}
