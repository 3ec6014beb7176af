export { examine } from './examine.js'
export type { Finding, FindingStatus, Examined } from './finding.js'
export { examineToolsets } from './toolsets.js'
export type { ExaminedToolset } from './toolsets.js'
