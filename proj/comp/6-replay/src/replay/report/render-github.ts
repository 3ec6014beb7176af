import { escapeControls } from '../../../../0-text/src/index.js'
import { reportNotes } from './report-notes.js'
import { DRIFTS, type ReplayReport } from '../replay-model.js'

const MOST_TOLD = 50

/** Annotations of GitHub's workflow commands, one a line. */
export function renderGithub(report: ReplayReport): string {
  const lines = [
    ...report.badRecords.map(({ file, line, message }) => annotation(file, line, 'unreadable transcript', message)),
    ...report.reports.filter(({ drifted }) => drifted).map(({ file, line, name, error, blocks, tree = [] }) => {
      const drifts = blocks.filter(({ outcome }) => DRIFTS.has(outcome))
      const [first] = drifts
      const more = drifts.length > 1 ? `, and ${drifts.length - 1} more` : ''
      const [path] = tree
      const drift = first
        ? `${first.outcome}: ${first.name} (block ${first.seq}, turn ${first.turn})${more}`
        : `${path?.kind ?? 'changed'}: ${path?.path ?? 'tree'}`
      const message = error?.message ?? drift
      return annotation(file, line, `${name} drifted`, message)
    }),
    ...reportNotes(report).map(({ file, line, name, note }) => annotation(file, line, name, note, 'warning')),
  ]
  return lines.slice(0, MOST_TOLD).map((line) => `${line}\n`).join('')
}

function annotation(
  file: string, line: number | undefined, title: string, message: string, level: 'error' | 'warning' = 'error',
): string {
  // Names of files are anyone's: what a terminal would obey is shown.
  return `::${level} file=${property(file)},line=${line ?? 1},title=${property(title)}::${data(message)}`
}

function data(text: string): string {
  return escapeControls(text, true).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
