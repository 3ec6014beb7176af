export * from './line-editor/index.js'
export * from './running/index.js'
export { answeredBy, prompt, readClipboard, TerminalUi, writeClipboard, type OfferAnswer } from './questions/index.js'
