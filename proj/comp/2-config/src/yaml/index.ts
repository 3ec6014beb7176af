export { readCheckedYaml } from './read-checked-yaml.js'
export { parseStrictYaml } from './checked-yaml.js'
export type { CheckedYaml } from './read-checked-yaml.js'
