export {
  cutToWidth, discardTyped, HistoryFile, hitRows, LineEditor, LiveScreen, pipedInput, PlainLines, promptRows,
  terminalInput, textWidth, withKeys, wrapText, type Completion, type Given, type History, type KeySource, type Line,
  type PromptInput, type ScreenOutput, type TerminalInputOptions,
} from './line-editor/index.js'
export * from './running/index.js'
export { answeredBy, prompt, readClipboard, TerminalUi, writeClipboard, type OfferAnswer } from './questions/index.js'
