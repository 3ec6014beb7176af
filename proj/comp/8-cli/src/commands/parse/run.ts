import { CodeFences, parse, parseResponse } from '../../../../1-reading/src/index.js'
import { renderParseOutcome } from '../../../../1-reports/src/index.js'
import type { Arguments } from '../../arguments.js'
import { readingOptions } from '../../setup/apply-options.js'
import { EXIT, printFound, wantsColour } from '../../io/output.js'
import { readInput } from '../../io/read-input.js'
import { answerOf } from '../../io/saved-response.js'

/** `hermes parse`: what would run, and what would not and why. */
export async function parseCommand(args: Arguments): Promise<number> {
  const options = await readingOptions(args)
  const { text, response } = await answerOf(await readInput('parse', args.positionals[0]))
  const outcome = response ? parseResponse(response, options) : parse(text, options)
  const { blocks, errors, skipped } = outcome
  return printFound(args, { ...(response && { input: response.input }), blocks, errors, skipped }, () => (
    renderParseOutcome(outcome, { colour: wantsColour(), fences: new CodeFences().push(text).end() })
  ), errors.length === 0 ? EXIT.ok : EXIT.failed)
}
