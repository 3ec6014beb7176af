export { InteractiveSession } from './interactive-session.js'
export type { InteractiveSetup, OfferedFormats, RunReport } from './interactive-setup.js'
