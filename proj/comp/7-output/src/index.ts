export { replayReports, reportNames, runReport } from './reports/index.js'
export type { ReplayReports, RunReport } from './reports/index.js'
export {
  hadChangedNothing, livePrinter, renderPromptSizes, renderRecovery, renderRun, renderSettings, renderSkill,
  renderSkills, renderSquash, renderStep, renderTool, renderToolList, renderUndo, renderVerification,
} from './printing/index.js'
export type { LivePrinter, ToolStyle } from './printing/index.js'
