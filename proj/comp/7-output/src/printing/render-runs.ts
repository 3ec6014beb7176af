import { escapeControls, shownTime } from '../../../0-text/src/index.js'
import type { JournalVerification, ListedRun, RecoverOutcome, UndoOutcome } from '../../../3-transaction/src/index.js'
import { createPalette, plural, rewriteLine, type Palette } from '../../../1-reports/src/index.js'
import type { Rewrite } from '../../../0-contracts/src/index.js'

const MOST_FILES = 8

interface Colour {
  colour: boolean
}

/** A run as a line of `hermes log`; with `diffs` also how extensions changed its answer. */
export function renderRun(run: ListedRun, { colour, diffs = false }: Colour & { diffs?: boolean }): string {
  const palette = createPalette(colour)
  const { bad, faint, note, strong } = palette
  const state = {
    'applied': '', 'undone': note('undone'), 'partly undone': bad('partly undone'),
    'partial': bad('not everything was put back'),
    'restored': note('restored'), 'running': note('at work'), 'open': bad('interrupted: hermes recover'),
    'damaged': bad('damaged journal'),
  }[run.state]
  const mark = run.signature === undefined || run.state === 'damaged' ? ''
    : `  ${bad(run.signature === 'unsigned' ? 'unsigned' : 'not signed with your key')}`
  // The number of blocks of an interrupted run is unknown.
  const blocks = run.endedAt === undefined || run.blocks === 0 ? 'run' : plural(run.blocks, 'block')
  const kind = run.kind === 'run' ? blocks : `${run.kind} of ${run.of ?? 'a run'}`
  const continues = run.continues === undefined ? '' : `, continues ${run.continues}`
  const failures = run.failures === 0 ? '' : bad(`, ${run.failures} failed`)
  const commit = run.commit === undefined ? '' : faint(`  commit ${run.commit.slice(0, 12)}`)
  const files = run.files.slice(0, MOST_FILES).map((path) => `    ${escapeControls(path)}`)
  if (run.files.length > MOST_FILES) files.push(faint(`    and ${plural(run.files.length - MOST_FILES, 'path')} more`))
  if (run.unknownFiles) files.push(faint('    and what its commands changed, which is not known'))
  const about = `${kind}${failures}${continues}`
  const time = run.startedAt === undefined ? '' : shownTime(Date.parse(run.startedAt))
  return [
    `${strong(run.runId)}  ${time}  ${about}${state === '' ? '' : `  ${state}`}${mark}${commit}`,
    ...(run.summary === '' ? [] : [`  ${escapeControls(run.summary)}`]),
    ...files,
    ...(run.rewrites ?? []).flatMap((rewrite) => [
      `  ${note(rewriteLine(rewrite))}`, ...(diffs ? rewriteLines(rewrite, palette) : []),
    ]),
    '',
  ].join('\n')
}

/** Prefixed with a bar, so that a line of a diff is not mistaken for one of ours. */
function rewriteLines({ before, after, diff }: Rewrite, { bad, faint, good }: Palette): string[] {
  return [
    faint(`    SHA-256 before ${before}`), faint(`    SHA-256 after  ${after}`),
    ...diff.split('\n').filter((line) => line !== '').map((line) => {
      const shown = `    │ ${escapeControls(line)}`
      return line.startsWith('+') ? good(shown) : line.startsWith('-') ? bad(shown) : shown
    }),
  ]
}

/** The result of `hermes log --verify`, one line for each run. */
export function renderVerification({ success, runs }: JournalVerification, { colour }: Colour): string {
  const { bad, faint } = createPalette(colour)
  const lines = runs.map(({ runId, seq, signature, reason }) => {
    const state = signature === 'signed' ? signature : bad(signature)
    const why = reason === undefined ? '' : faint(`  ${escapeControls(reason)}`)
    return `${String(seq ?? '-').padStart(6)}  ${escapeControls(runId ?? '-')}  ${state}${why}`
  })
  const signed = runs.filter(({ signature }) => signature === 'signed').length
  const end = success ? `${plural(signed, 'run')}, all signed, none missing.`
    : 'Not all is signed and there: undo and recover leave the rest alone, without --trust-journal.'
  return `${[...lines, end].join('\n')}\n`
}

/** Whether an undo found nothing on record to restore or leave. */
export function hadChangedNothing({ restored, merged, kept, left, fatalError }: UndoOutcome): boolean {
  return fatalError === undefined && [restored, merged, kept, left].every((paths) => paths.length === 0)
}

/**
 * What an undo or redo restored, and what it did not.
 *
 * @param before the last run in force that changed something, where an undo had nothing to restore
 */
export function renderUndo(
  outcome: UndoOutcome, command: 'undo' | 'redo', { colour, before }: Colour & { before?: ListedRun | undefined },
): string {
  const { success, target, together = [], restored, merged, kept, left, warnings, gitCommit, fatalError } = outcome
  const { bad, faint, strong, note: warn } = createPalette(colour)
  const isWhole = success || (left.length === 0 && fatalError !== undefined)
  const done = `${command === 'undo' ? 'Undone' : 'Redone'}${isWhole ? '' : ' in part'}`
  const lines = [
    `${strong(`${done}: run ${target}`)}${gitCommit === undefined ? '' : faint(` (commit ${gitCommit.slice(0, 12)})`)}`,
    ...together.map((runId) => `Together with it: run ${runId}`),
    ...restored.map((path) => `  ${escapeControls(path)}`),
    ...merged.map(({ path, marked }) =>
      `  ${escapeControls(path)}: ${marked ? bad('merged, with conflict markers: edit it') : 'merged'}`),
    ...kept.map(({ path, reason }) => `  ${warn('kept')} ${escapeControls(path)}: ${escapeControls(reason)}`),
    ...left.map(({ path, reason }) => `  ${bad('not put back')} ${escapeControls(path)}: ${escapeControls(reason)}`),
    ...warnings.map((warning) => warn(escapeControls(warning))),
    ...(fatalError === undefined ? [] : [bad(escapeControls(fatalError))]),
    ...(command === 'undo' && hadChangedNothing(outcome) ? nothingPutBack(before)
      : [`${plural(restored.length, 'path')} ${command === 'undo' ? 'as before' : 'as the run left them'}.`]),
    ...(left.length === 0 ? [] : [`Mend what is named, then: hermes ${command}. It goes on where it stopped.`]),
  ]
  return `${lines.join('\n')}\n`
}

function nothingPutBack(before: ListedRun | undefined): string[] {
  const nothing = 'It had changed no file that is known of: nothing was put back.'
  if (before === undefined) return [`${nothing} No run that is in force has changed one.`]
  const about = before.summary === '' ? '' : ` (${escapeControls(before.summary)})`
  return [nothing, `The last run that did is ${before.runId}${about}: hermes undo --run ${before.runId}`]
}

/** What recovering a dead run did. */
export function renderRecovery(
  { runId, restored, paths, left, gitCommit, ended = [], others = [], warnings = [] }: RecoverOutcome,
  { colour }: Colour,
): string {
  const { bad, faint, strong } = createPalette(colour)
  if (runId === undefined) return 'No interrupted run: nothing to recover.\n'
  const commit = gitCommit === undefined ? '' : faint(` (commit ${gitCommit.slice(0, 12)})`)
  return [
    `${strong(restored ? `Restored what was before run ${runId}` : `Finished run ${runId}`)}${commit}`,
    ...(ended.length > 0 ? ['  Ended what still ran of it: '
      + `${ended.map(({ pid, command }) => `${escapeControls(command)} (${pid})`).join(', ')}`] : []),
    ...paths.map((path) => `  ${escapeControls(path)}`),
    ...left.map(({ path, reason }) => `  ${bad('not put back')} ${escapeControls(path)}: ${escapeControls(reason)}`),
    restored ? `${plural(paths.filter((path) => !left.some((other) => other.path === path)).length, 'path')} as before.`
      : paths.length === 0 ? 'No path was changed.'
        : `${plural(paths.length, 'path')} changed; hermes undo takes ${paths.length === 1 ? 'it' : 'them'} back.`,
    ...warnings.map((warning) => `${bad('Note:')} ${escapeControls(warning)}`),
    ...(others.length > 0
      ? [`Another run was interrupted before it (${others.join(', ')}): run hermes recover again.`] : []),
    '',
  ].join('\n')
}
