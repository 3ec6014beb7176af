export { dotted, problemsError, readCheckedYaml, type CheckedYaml } from './read-checked-yaml.js'
export { namesAt } from './schema-names.js'
export { parseStrictYaml } from './checked-yaml.js'
