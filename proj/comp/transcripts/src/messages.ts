import type { VerbRegistry } from '../../registry/src/index.js'
import { readOpenAi } from './openai.js'
import type { ExportFormat } from './export-transcript.js'
import { trajectoryLine } from './trajectory.js'

export interface ConversationPlace {
  /** Where it worked. */
  root: string
  registry: VerbRegistry
}

/** A conversation in OpenAI's chat format as a line of training data, without its line feed (seed 003, 'Trajectory Format'). */
export async function conversationLine(
  messages: readonly object[], format: ExportFormat, { root, registry }: ConversationPlace,
): Promise<string> {
  const transcript = { file: '', line: undefined, name: '', format: 'openai' as const, root, ...readOpenAi({ messages }) }
  return trajectoryLine(transcript, format, { registry, rules: { relativePaths: true, root, rootAliases: [] } })
}
