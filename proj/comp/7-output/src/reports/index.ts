export { reportNames } from './report-formats.js'
export { replayReports, type ReplayReports } from './replay-reports.js'
export { runReport, type RunReport } from './run-report.js'
