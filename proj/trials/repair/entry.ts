/** Plays the repair corpus, and counts what the model had to write again. */
import { readGoldens } from '../../test/support/goldens.js'
import { startModelServer } from '../../comp/6-agent/test/agent/support/model-server.js'
import { play, readConversation } from '../../comp/6-agent/test/agent/support/play-case.js'
import { countTokens } from './count-tokens.js'

export { playFromReplies } from './from-reply.js'

export interface Repair {
  name: string
  /** Of the code that the feedback told of. */
  code: string
  mended: boolean
  /** Tokens of the second answer, of the first, and of the feedback. */
  regenerated: number
  whole: number
  feedback: number
}

/** @param corpus repair.cases.md */
export async function playRepairs(corpus: URL): Promise<Repair[]> {
  const server = await startModelServer()
  const repairs: Repair[] = []
  try {
    for (const golden of readGoldens(corpus)) {
      const conversation = readConversation(golden)
      const [first, second] = conversation.exchanges[0]?.answers ?? []
      const { tree, end, requests } = await play(conversation, server, golden.name, 'sham')
      const feedback = requests[1]?.messages.at(-1)?.content ?? ''
      const code = conversation.sees[0]?.texts[0] ?? ''
      repairs.push({
        name: golden.name, code, regenerated: countTokens(second?.text ?? ''),
        whole: countTokens(first?.text ?? ''), feedback: countTokens(feedback),
        mended: feedback.includes(code) && end === conversation.end
          && JSON.stringify(sorted(tree)) === JSON.stringify(sorted(conversation.after ?? {})),
      })
    }
  } finally {
    await server.close()
  }
  return repairs
}

function sorted(tree: Record<string, string>): [string, string][] {
  return Object.entries(tree).toSorted(([one], [other]) => (one < other ? -1 : 1))
}
