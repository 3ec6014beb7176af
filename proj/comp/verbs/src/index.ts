export { VERBS } from './list.js'
