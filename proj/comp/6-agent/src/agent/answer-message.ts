import { HermesError } from '../../../0-contracts/src/index.js'
import { createRunId, unitName } from '../../../3-transaction/src/index.js'
import { commitTask } from './commit-task.js'
import type { ImageInput } from './image-input.js'
import type { LoopParts } from './loop-parts.js'
import { withNotes, withoutNotes } from './message-notes.js'
import { GO_ON } from './results-head.js'
import { runLoop } from './run-loop.js'
import { saveTrajectory } from './session/save-trajectory.js'
import { notesOfUndo } from './taken-back.js'
import type { Task } from './task.js'

/** The user's text and images. */
export interface UserMessage {
  text: string
  images: readonly ImageInput[]
}

/**
 * Answers one message of the user in a task, and reports in an `end` event how that ended.
 *
 * @param message `undefined`: continue the last one, whose answer was cut short
 * @param trajectory makes the whole conversation a line of training data
 */
export async function answerMessage(
  parts: LoopParts, task: Task, message: UserMessage | undefined, trajectory: () => Promise<string>,
): Promise<void> {
  const { emit, conversation } = parts
  const unit = message === undefined ? conversation.said.all.at(-1)?.unit ?? '' : createRunId()
  task.unit = unit === '' ? undefined : unitName(task.id, unit)
  task.onWait = (who) => emit({ type: 'notice', text: `Waiting for another run in this root: ${who}` })
  const last = conversation.messages.at(-1)
  if (message !== undefined) {
    // Two messages of a user need an answer in between: some servers refuse them otherwise, and a model takes them for
    // one.
    if (last?.role === 'user') conversation.interrupt()
    conversation.add(...await notesOfUndo(task))
    const { text, images } = message
    const content = withNotes(text, conversation.notes)
    const shown = images.length > 0 && { images }
    conversation.add({ type: 'message', message: { role: 'user', content, ...shown }, unit })
  } else if (!conversation.isUnfinished) {
    const answer = conversation.messages.findLast(({ role }) => role === 'assistant')
    emit({ type: 'end', reason: 'answer', text: answer?.content ?? '' })
    return
  } else if (last?.role === 'assistant' && last.interrupted === true) {
    conversation.add({ type: 'message', message: { role: 'user', content: GO_ON } })
  }
  const { reason, text } = await runLoop(parts).finally(() => save(parts, task.id, trajectory))
  await commitMessage(parts, task)
  emit({ type: 'end', reason, text })
}

/** Commits what a message changed, with `autoCommit: 'message'`. */
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
    // A failure to save the trajectory must not fail the answer.
    const reason = error instanceof Error ? error.message : 'unknown'
    emit({ type: 'notice', text: `The trajectory could not be saved: ${reason}` })
  }
}
