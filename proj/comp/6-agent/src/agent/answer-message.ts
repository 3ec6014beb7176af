import { HermesError } from '../../../0-contracts/src/index.js'
import { createRunId, unitName } from '../../../3-transaction/src/index.js'
import { commitTask } from './commit-task.js'
import type { LoopParts } from './loop-parts.js'
import { withNotes, withoutNotes } from './message-notes.js'
import type { Message } from './messages.js'
import { GO_ON } from './results-head.js'
import { runLoop } from './run-loop.js'
import { saveTrajectory } from './session/save-trajectory.js'
import { notesOfUndo } from './taken-back.js'
import type { Task } from './task.js'

/**
 * Answers one message of the user in a task, and says in an `end` event how that ended.
 *
 * @param message `undefined`: goes on with the last one, where its answer was cut short
 * @param trajectory the whole conversation as a line of training data
 */
export async function answerMessage(
  parts: LoopParts, task: Task, message: string | undefined, trajectory: () => Promise<string>,
): Promise<void> {
  const { emit, conversation } = parts
  const unit = message === undefined ? conversation.said.all.at(-1)?.unit ?? '' : createRunId()
  task.unit = unit === '' ? undefined : unitName(task.id, unit)
  task.onWait = (who) => emit({ type: 'notice', text: `Waiting for another run in this root: ${who}` })
  const last = conversation.messages.at(-1)
  if (message !== undefined) {
    // Between two messages of a user stands an answer: some servers refuse others, and a model takes them for one.
    if (last?.role === 'user') conversation.interrupt()
    conversation.add(...await notesOfUndo(task))
    const content = withNotes(message, conversation.notes)
    conversation.add({ type: 'message', message: { role: 'user', content }, unit })
  } else if (!conversation.isUnfinished) {
    emit({ type: 'end', reason: 'answer', text: lastText(conversation.messages) })
    return
  } else if (last?.role === 'assistant' && last.interrupted === true) {
    conversation.add({ type: 'message', message: { role: 'user', content: GO_ON } })
  }
  const { reason, text } = await runLoop(parts).finally(() => save(parts, task.id, trajectory))
  await commitMessage(parts, task)
  emit({ type: 'end', reason, text })
}

/** With `autoCommit: 'message'`: what the message changed is one commit. */
async function commitMessage({ options, emit, signal }: LoopParts, task: Task): Promise<void> {
  const { autoCommit, gitCommit } = options
  const { conversation: { said }, unit } = task
  if (autoCommit !== 'message' || gitCommit === false || unit === undefined) return
  const message = withoutNotes(said.all.at(-1)?.text ?? '').trim().split('\n')[0] ?? ''
  try {
    const { hash, told } = await commitTask(task, options, { message: `AI: ${message}`, signal, units: [unit] })
    for (const text of [`Committed as ${hash.slice(0, 12)}`, ...told]) emit({ type: 'notice', text })
  } catch (error) {
    if (!(error instanceof HermesError)) throw error
    if (error.code !== 'NOTHING_TO_COMMIT') emit({ type: 'notice', text: `Not committed: ${error.message}` })
  }
}

async function save({ options, emit }: LoopParts, taskId: string, trajectory: () => Promise<string>): Promise<void> {
  const { saveTrajectories = false } = options
  if (saveTrajectories === false) return
  try {
    saveTrajectory(saveTrajectories === true ? 'trajectories' : saveTrajectories, taskId, await trajectory())
  } catch (error) {
    // The answer counts more than its record.
    const reason = error instanceof Error ? error.message : 'unknown'
    emit({ type: 'notice', text: `The trajectory could not be saved: ${reason}` })
  }
}

function lastText(messages: readonly Message[]): string {
  return messages.findLast(({ role }) => role === 'assistant')?.content ?? ''
}
