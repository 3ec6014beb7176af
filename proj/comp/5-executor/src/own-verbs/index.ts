export { addOwnVerbs, extensionVerbs, fileVerbs } from './own-verbs.js'
export type { OwnVerb } from './own-verbs.js'
export { moduleVerbs } from './module-verbs.js'
export { VerbsHere } from './verbs-here.js'
