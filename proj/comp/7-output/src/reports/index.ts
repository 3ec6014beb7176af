export { reportNames } from './report-formats.js'
export { replayReports } from './replay-reports.js'
export { runReport, type RunReport } from './run-report.js'
export type { ReportKind, RunPlace } from './format.js'
