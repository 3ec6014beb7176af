export { prompt } from './terminal-prompt.js'
export type { Prompt, Terminal } from './terminal-prompt.js'
export { TerminalUi } from './terminal-ui.js'
