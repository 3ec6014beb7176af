export {
  cutToWidth, discardTyped, HistoryFile, hitRows, LineEditor, LiveScreen, pipedInput, PlainLines, promptRows,
  terminalInput, textWidth, withKeys, wrapText,
} from './line-editor/index.js'
export type {
  Completion, Given, History, KeySource, Line, PromptInput, ScreenOutput, TerminalInputOptions,
} from './line-editor/index.js'
export { callTitle, LiveStatus, RunningCalls, SPIN_MS, statusRow } from './running/index.js'
export type { RowLook, StatusScreen } from './running/index.js'
export type { OfferAnswer } from './questions/index.js'
export { answeredBy, prompt, readClipboard, TerminalUi, writeClipboard } from './questions/index.js'
