export { readCheckedYaml } from './read-checked-yaml.js'
export { parseStrictYaml } from './strict-yaml.js'
export type { StrictYaml } from './strict-yaml.js'
export type { CheckedYaml, YamlSource } from './read-checked-yaml.js'
