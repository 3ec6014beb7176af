import type { ReportFormat, ReportKind } from './format.js'
import { HTML } from './formats/html.js'
import { JSON_DOCUMENT } from './formats/json.js'
import { JUNIT } from './formats/junit.js'
import { MARKDOWN } from './formats/markdown.js'
import { SARIF } from './formats/sarif.js'

/** All formats of reports, in the order in which they are offered. */
export const REPORT_FORMATS: readonly ReportFormat[] = [HTML, MARKDOWN, JSON_DOCUMENT, JUNIT, SARIF]

/** The names that a report may have, as a phrase: `FILE.html, FILE.md or FILE.json`. @param withNotes for help */
export function reportNames(kind: ReportKind, withNotes = false): string {
  const names = formatsOf(kind).map(({ extensions: [extension], called, note }) => {
    const told = [called, withNotes ? note : undefined].filter((part) => part !== undefined).join(', ')
    return `FILE${extension}${told === '' ? '' : ` (${told})`}`
  })
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' or ')
}

/** Those that show such a report. */
export function formatsOf(kind: ReportKind): ReportFormat[] {
  return REPORT_FORMATS.filter((format) => format[kind] !== undefined)
}
