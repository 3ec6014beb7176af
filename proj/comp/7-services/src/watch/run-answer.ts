import type { ExecutionResult, HermesEvent, HermesOptions } from '../../../0-contracts/src/index.js'
import { Hermes } from '../../../5-executor/src/index.js'
import { readResponse } from '../../../2-transcripts/src/index.js'
import type { Answer, Applied } from './watch-answers.js'
import { writeSummary } from './write-summary.js'

/**
 * Runs an answer and writes its summary. It has a session of its own: as `hermes apply`, it goes by what the policy
 * files say now.
 *
 * @param prepend the summary stands above the answer, in its file
 */
export async function runAnswer(
  answer: Answer, { onEvent, ...options }: HermesOptions & { root: string }, { prepend }: { prepend: boolean },
): Promise<{ applied: Applied; summary: ReturnType<typeof writeSummary> }> {
  const written = new Set<string>()
  const hermes = new Hermes({
    ...options, onEvent(event: HermesEvent) {
      if (event.type === 'block-end') for (const { path } of event.changes) written.add(path)
      return onEvent?.(event)
    },
  })
  let result: ExecutionResult
  try {
    result = await hermes.execute(readResponse(answer.text) ?? answer.text, { runId: answer.runId })
  } finally {
    await hermes[Symbol.asyncDispose]()
  }
  const summary = writeSummary({ ...answer, result, prepend })
  return { applied: { result, written, isPrepended: prepend && !('problem' in summary) }, summary }
}
