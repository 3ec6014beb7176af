export { addOwnVerbs, extensionVerbs } from './own-verbs.js'
export type { OwnVerb } from './own-verbs.js'
export { fileVerbs } from './verb-files.js'
export { VerbsHere } from './verbs-here.js'
