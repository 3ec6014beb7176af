import { isRecord } from '../../../../0-contracts/src/index.js'
import { parsedJson } from './parsed-json.js'

const MOST_TEXT = 4096
/** How harnesses and programs begin when something went wrong. */
const BEGINS = /^\W*(?:an? )?(?:\w*error|\w*exception|traceback|fatal|fail(?:ed|ure)|cannot|can't|could not|unable|invalid|denied|aborted|cancelled|timed? ?out|no such|not found|no replacement)\b/i
const HOLDS = /(?:no such file|permission denied|command not found|is not recognized|does(?: not|n't) exist|not found|timed out|exit(?:ed with)?(?: code| status)?:? [1-9]\d*|exit_code['"]?: [1-9])/i

/**
 * Whether a result that a harness recorded in its own words may be about a failure. Where it may, a call that fails now
 * is no drift that anybody could be sure of.
 */
export function tellsFailure(text: string): boolean {
  const beginning = text.slice(0, MOST_TEXT)
  const object = text.length <= MOST_TEXT && /^\s*\{/.test(text) ? parsedJson(text) : undefined
  if (isRecord(object)) {
    return ['success', 'ok', 'succeeded'].some((name) => object[name] === false) || object['status'] === 'error'
      || Boolean(object['error'])
  }
  return BEGINS.test(beginning) || HOLDS.test(beginning)
}
