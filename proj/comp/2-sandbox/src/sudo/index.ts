export { SudoHelper } from './sudo-helper.js'
export { sudoInSandbox, sudoOutside } from './sudo-walls.js'
