export { examine, examineToolsets, renderFindings, renderToolsets } from './doctor/index.js'
export * from './setup/index.js'
export * from './help-texts/index.js'
export * from './completion/index.js'
