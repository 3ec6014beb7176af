import type { ModelResponse } from '../../../0-contracts/src/index.js'
import { answerText, beginsAsResponse } from '../../../1-reading/src/index.js'

/** What a command works on as a whole. */
export interface Answer {
  /** As it was given. */
  given: string
  /** As reports show it, and what lines are counted in. */
  text: string
  /** Where it is a saved response of a model's interface. */
  response: ModelResponse | undefined
}

/** What reads responses is loaded only for a text that begins as one. */
export async function answerOf(given: string): Promise<Answer> {
  const response = beginsAsResponse(given)
    ? (await import('../../../2-transcripts/src/index.js')).readResponse(given) : undefined
  return { given, response, text: response ? answerText(response) : given }
}
