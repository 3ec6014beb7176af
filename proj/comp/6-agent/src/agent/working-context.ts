import type { ContextPrompt } from '../../../5-executor/src/index.js'
import type { LoopParts } from './loop-parts.js'

/** It takes at most this part of the window; what was not used for longest is left out then. */
const SHARE = 1 / 4

/** The files that the task keeps in view (`context_add`), as they are now. */
export async function workingContext(
  { hermes, window, model }: Pick<LoopParts, 'hermes' | 'window' | 'model'>,
): Promise<ContextPrompt> {
  return hermes.contextPrompt({ maxTokens: Math.floor(window.of(model) * SHARE) })
}
