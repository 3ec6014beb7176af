import type { Conversation, TranscriptFormat } from '../transcript-model.js'
import { isAiderHistory, readAider } from './aider.js'
import { isClineExport, readClineExport } from './cline.js'

/** A conversation that is written as a text; `undefined` for any other text, which is an answer. */
export function historyOf(text: string): { format: TranscriptFormat; conversation: Conversation } | undefined {
  if (isAiderHistory(text)) return { format: 'aider', conversation: readAider(text) }
  return isClineExport(text) ? { format: 'cline', conversation: readClineExport(text) } : undefined
}
