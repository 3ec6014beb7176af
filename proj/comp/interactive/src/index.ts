export { InteractiveSession } from './session.js'
export type { InteractiveSetup, RunReport } from './setup.js'
