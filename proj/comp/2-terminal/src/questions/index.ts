export { readClipboard, writeClipboard } from './clipboard.js'
export { answeredBy } from './consent.js'
export { prompt } from './terminal-prompt.js'
export { TerminalUi, type OfferAnswer } from './terminal-ui.js'
