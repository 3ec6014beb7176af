export { LiveStatus, type StatusScreen } from './live-status.js'
export { RunningCalls } from './running-calls.js'
export { callTitle, SPIN_MS, statusRow, type RowLook } from './status-rows.js'
