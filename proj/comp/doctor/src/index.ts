export { examine } from './examine.js'
export type { Finding, FindingStatus, Examined } from './finding.js'
