import type { SquashOutcome, StepOutcome } from '../../../3-transaction/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'
import { plural } from '../../../1-reports/src/index.js'

const MOST_NAMED = 20

/** Where a step through the history of git led, and what became of changes on the way. */
export function renderStep(outcome: StepOutcome): string {
  const { from, to, branch, stashed_files: stashed, restored_files: restored, conflicts, kept_stashes: kept } = outcome
  const on = branch === undefined ? '' : `, on ${branch.replace(/^refs\/heads\//, '')} again`
  return escapeControls([
    `HEAD is at ${to.slice(0, 10)}${on}`,
    ...(stashed ? [`Stashed ${files(stashed)}`, `  Back when HEAD is at ${from.slice(0, 10)} again`] : []),
    ...(restored ? [`Put back ${files(restored)}`] : []),
    ...(conflicts && kept ? [
      `Not put back: in the way ${conflicts.length === 1 ? 'is' : 'are'} ${files(conflicts)}`,
      ...kept.map(stash => `  Move them away, then: git stash apply --index ${stash.slice(0, 10)}`),
    ] : []),
    '',
  ].join('\n'), true)
}

function files(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? `, … and ${names.length - MOST_NAMED} more` : ''
  const named = names.slice(0, MOST_NAMED).map(name => escapeControls(name)).join(', ')
  return `${plural(names.length, 'file')}: ${named}${more}`
}

/** What came of squashing commits. */
export function renderSquash({ squashed, kept_ref: keptRef, undo }: SquashOutcome): string {
  const lines = squashed.map(({ commit, subject, replaces }) => (
    `Squashed ${plural(replaces.length, 'commit')} into ${commit.slice(0, 10)}: ${escapeControls(subject)}`
  ))
  return [...lines, `The old head is kept as ${keptRef}`, `To go back: ${undo}`, ''].join('\n')
}
