export { readCheckedYaml } from './read-checked-yaml.js'
export type { CheckedYaml, YamlSource } from './read-checked-yaml.js'
