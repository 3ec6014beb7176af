export { addConfiguredVerbs, fileVerbs } from './own-verbs.js'
export { VerbsHere } from './verbs-here.js'
