import { mendAnswer, type ExecutorOptions } from '../../../5-executor/src/index.js'
import { plural, renderTextDiff, renderUnmended, type ReportStyle } from '../../../1-reports/src/index.js'

/**
 * Puts fixes in place in a text that waits; nothing runs.
 *
 * @returns the text, and what the user is told
 */
export async function mendPending(
  given: string, options: ExecutorOptions, style: ReportStyle,
): Promise<{ text: string; told: string }> {
  const { text, mended, mendedResults, errors, results } = await mendAnswer(given, options)
  const left = renderUnmended({ errors, results }, style)
  if (text === given) return { text, told: `There is nothing to mend.\n${left}` }
  const count = plural(mended.length + mendedResults.length, 'fix', 'fixes')
  const diff = await renderTextDiff('answer', given, text, style)
  return { text, told: `${diff}${left}${count} in place; Enter runs it.\n` }
}
