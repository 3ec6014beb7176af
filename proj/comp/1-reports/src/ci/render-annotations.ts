import { escapeControls } from '../../../0-text/src/index.js'
import type { CiItem } from './ci-item.js'

/** GitHub shows no more of a job. */
const MOST_TOLD = 50

/** Renders annotations as GitHub workflow commands (`::error file=…,line=…,title=…::…`), one a line, at most 50. */
export function renderAnnotations(items: readonly CiItem[]): string {
  const notPassed = items.filter(({ outcome }) => outcome === 'failed' || outcome === 'error')
  const lines = [
    ...notPassed.map((item) => annotation('error', item, titleOf(item), messageOf(item))),
    ...items.flatMap((item) => (item.notes ?? []).map((note) => annotation('warning', item, item.name, note))),
  ]
  return lines.slice(0, MOST_TOLD).map((line) => `${line}\n`).join('')
}

function titleOf({ name, outcome, title }: CiItem): string {
  return title ?? (outcome === 'error' ? `${name} could not be run` : `${name} failed`)
}

/** @returns the message, prefixed by the code unless it already starts with it */
export function messageOf({ code, message = 'failed' }: CiItem): string {
  return code === undefined || message.startsWith(`${code}: `) ? message : `${code}: ${message}`
}

function annotation(level: 'error' | 'warning', { file, line, endLine }: CiItem, title: string, text: string): string {
  const place = file === undefined ? [] : [
    `file=${escapedProperty(file)}`, `line=${line ?? 1}`,
    ...(endLine === undefined || endLine === line ? [] : [`endLine=${endLine}`]),
  ]
  return `::${level} ${[...place, `title=${escapedProperty(title)}`].join(',')}::${escapedText(text)}`
}

/** Names and messages are untrusted: what a terminal would interpret is escaped. */
function escapedText(text: string): string {
  return escapeControls(text, true).replaceAll('%', '%25').replaceAll('\n', '%0A')
}

function escapedProperty(text: string): string {
  return escapedText(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
