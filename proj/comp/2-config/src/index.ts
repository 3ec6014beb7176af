export * from './config/index.js'
export { readCheckedYaml, type CheckedYaml } from './yaml/index.js'
