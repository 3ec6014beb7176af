export { replayReports, reportNames, runReport, type ReplayReports, type RunReport } from './reports/index.js'
export {
  hadChangedNothing, livePrinter, renderPromptSizes, renderRecovery, renderRun, renderSettings, renderSkill,
  renderSkills, renderSquash, renderStep, renderTool, renderToolList, renderUndo, renderVerification, type LivePrinter,
  type ToolStyle,
} from './printing/index.js'
