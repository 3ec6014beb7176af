export { readCheckedYaml } from './read-checked-yaml.js'
export { parseStrictYaml } from './checked-yaml.js'
export type { StrictYaml } from './checked-yaml.js'
export type { CheckedYaml, YamlSource } from './read-checked-yaml.js'
