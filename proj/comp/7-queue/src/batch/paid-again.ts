import { plural } from '../../../1-reports/src/index.js'
import { clip, escapeControls } from '../../../0-text/src/index.js'
import type { RunAgain } from '../../../6-replay/src/index.js'

/** Names that are shown for each reason. */
const MOST_NAMES = 5
const LONGEST_NAME = 60

/** Says which prompts would be paid for again, and why: a line with their number, and one for each reason. */
export function paidAgainLines(again: readonly RunAgain[]): string[] {
  const count = again.reduce((sum, { names }) => sum + names.length, 0)
  return [
    `${plural(count, 'prompt')} with a result would be run and paid for again`,
    ...again.map(({ changed, names }) => {
      const shown = names.slice(0, MOST_NAMES).map((name) => escapeControls(clip(name, LONGEST_NAME)))
      const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
      return `another ${changed}: ${names.length} (${shown.join(', ')}${more})`
    }),
  ]
}
