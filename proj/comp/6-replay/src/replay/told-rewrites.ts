import type { AssistantTurn, RecordedRewrite, Transcript } from '../../../2-transcripts/src/index.js'
import type { ReplayedRewrite } from './replay-model.js'

/** What a report tells of what an extension made of an answer. @param turn of the assistant, from 1 */
export function toldRewrite(rewrite: RecordedRewrite, turn: number): ReplayedRewrite {
  const { diff: _, text: __, ...told } = rewrite
  return { turn, ...told }
}

/** What extensions made of the answers in this replay. @param extended turns as they ran, where that is not as given */
export function newRewrites(
  { turns }: Transcript, extended: ReadonlyMap<AssistantTurn, AssistantTurn>,
): ReplayedRewrite[] {
  return turns.filter((turn) => turn.role === 'assistant').flatMap((turn, index) => {
    const before = turn.rewritten?.by.length ?? 0
    const now = extended.get(turn)?.rewritten?.by.slice(before) ?? []
    return now.map((rewrite): ReplayedRewrite => ({ ...toldRewrite(rewrite, index + 1), isNew: true }))
  })
}
