export { machineInfo } from './machine-info.js'
