import {
  HermesError, type ExecutionResult, type HermesEvent, type HermesOptions,
} from '../../../0-contracts/src/index.js'
import type { PreparedAnswer } from '../../../2-extensions/src/index.js'
import { Hermes, type RunOptions } from '../../../5-executor/src/index.js'
import type { SeenContents } from '../../../1-reports/src/index.js'
import { readResponse } from '../../../2-transcripts/src/index.js'
import type { Answer, Applied } from './watch-answers.js'
import { writeSummary } from './write-summary.js'

/**
 * Runs an answer and writes its summary, in a session of its own: like `hermes apply`, it uses the policy files'
 * present content.
 *
 * @param prepend whether the summary goes above the answer, in its file
 * @param prepared what extensions made of the answer, or why they failed: then nothing of it runs
 * @param seen contents that the watch's replies have shown to the model
 * @returns with `reply` the text for the model
 */
export async function runAnswer(
  answer: Answer, { onEvent, ...options }: HermesOptions & { root: string },
  { prepend, prepared, seen, onRead }: {
    prepend: boolean
    prepared?: PreparedAnswer | HermesError | undefined
    seen: SeenContents
    /** As in `RunOptions`. */
    onRead?: RunOptions['onRead']
  },
): Promise<{ applied: Applied; summary: ReturnType<typeof writeSummary>; reply: string }> {
  const written = new Set<string>()
  const hermes = new Hermes({
    ...options, onEvent(event: HermesEvent) {
      if (event.type === 'block-end') for (const { path } of event.changes) written.add(path)
      return onEvent?.(event)
    },
  })
  const text = prepared === undefined || prepared instanceof HermesError ? answer.text : prepared.text
  const response = readResponse(text)
  let result: ExecutionResult
  try {
    result = await hermes.execute(response ?? text, { runId: answer.runId, onRead, ...(prepared && { prepared }) })
  } finally {
    await hermes[Symbol.asyncDispose]()
  }
  const reply = hermes.freshReply(result, { ...(!response && { text }), seen, runId: answer.runId })
  const summary = writeSummary({ ...answer, result, reply, prepend })
  return { applied: { result, written, isPrepended: prepend && !('problem' in summary) }, summary, reply }
}
