export { InteractiveSession } from './interactive-session.js'
export type { InteractiveSetup, RunReport } from './interactive-setup.js'
