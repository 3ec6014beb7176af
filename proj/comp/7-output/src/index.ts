export { replayReports, reportNames, runReport, type ReplayReports, type RunReport } from './reports/index.js'
export * from './printing/index.js'
