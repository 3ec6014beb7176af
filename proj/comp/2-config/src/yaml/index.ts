export { readCheckedYaml, type CheckedYaml } from './read-checked-yaml.js'
export { parseStrictYaml } from './checked-yaml.js'
