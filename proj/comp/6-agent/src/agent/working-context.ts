import type { ContextPrompt } from '../../../5-executor/src/index.js'
import type { LoopParts } from './loop-parts.js'

/** Tokens of a model's context window, where nothing is said of it. */
export const WINDOW = 128_000
/** It takes at most this part of the window; what was not used for longest is left out then. */
const SHARE = 1 / 4

/** The files that the task keeps in view (`context_add`), as they are now. */
export async function workingContext(
  { hermes, options: { contextWindow = WINDOW } }: Pick<LoopParts, 'hermes' | 'options'>,
): Promise<ContextPrompt> {
  return hermes.contextPrompt({ maxTokens: Math.floor(contextWindow * SHARE) })
}
