import { unlessRefused } from '../../../0-contracts/src/index.js'
import { listed } from '../../../0-text/src/index.js'
import { pathsOf, unitName, unitsOf, unitsTakenBack, type UnitRuns } from '../../../3-transaction/src/index.js'
import { withoutNotes } from './message-notes.js'
import type { SessionRecord } from './session/sessions.js'
import type { Task } from './task.js'

type Note = Extract<SessionRecord, { type: 'note' }>

/**
 * Notes for the model's next message on changes of this conversation that were undone or redone elsewhere (`hermes
 * undo`, `hermes redo`) since it was last told.
 */
export async function notesOfUndo(task: Task): Promise<Note[]> {
  const { conversation: { takenBack: told }, root } = task
  const runs = runsOf(task)
  const all = isBack(runs)
  const news = [
    ['took back (hermes undo)', runs.filter((run) => run.isBack && !told.has(run.runId))],
    ['made again (hermes redo)', runs.filter((run) => !run.isBack && told.has(run.runId))],
  ] as const
  const texts = news.filter(([, changed]) => changed.length > 0).map(async ([verb, changed]) => {
    const titles = [...new Set(changed.flatMap(({ unit }) => titleOf(task, unit)))]
    const paths = await pathsOf(root, changed.map(({ runId }) => runId))
    const where = paths.length === 0 ? '' : ` in: ${listed(paths)}`
    return `The user ${verb} what the work on ${titles.join(', ')} changed${where}.`
      + ' Read these files again before you change them.'
  })
  return (await Promise.all(texts)).map((text) => ({ type: 'note', text, takenBack: all }))
}

/** Runs of the conversation's messages that are undone at present. */
export function runsTakenBack(task: Task): string[] {
  return isBack(runsOf(task))
}

interface RunOfMessage {
  runId: string
  unit: string
  isBack: boolean
}

function isBack(runs: readonly RunOfMessage[]): string[] {
  return runs.flatMap((run) => (run.isBack ? run.runId : []))
}

function runsOf({ root, id, conversation }: Task): RunOfMessage[] {
  const standing = new Set(conversation.said.all.map(({ unit }) => unitName(id, unit)))
  if (standing.size === 0) return []
  const those = (units: readonly UnitRuns[], isTakenBack: boolean): RunOfMessage[] => (
    units.filter(({ unit }) => standing.has(unit))
      .flatMap(({ unit, runIds }) => runIds.map((runId) => ({ runId, unit, isBack: isTakenBack })))
  )
  // A journal that cannot be read, or is not this user's, tells nothing of what became of its runs.
  return unlessRefused(() => [...those(unitsOf(root, id), false), ...those(unitsTakenBack(root, id), true)], [])
}

function titleOf({ id, conversation: { said } }: Task, unit: string): string {
  return title(said.all.find((message) => unitName(id, message.unit) === unit)?.text ?? '')
}

/** A note for the model on an undone message that is part of a summary. */
export function stillTold(message: string): string {
  return `The user took back an earlier message, of which the summary still tells: ${title(message)}.`
}

function title(message: string): string {
  const [line = ''] = withoutNotes(message).trim().split('\n')
  return line === '' ? 'an earlier message' : `"${line.slice(0, 80)}"`
}
