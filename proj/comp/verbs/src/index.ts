export { VERBS } from './list.js'
export type { VerbEntry } from './list.js'
