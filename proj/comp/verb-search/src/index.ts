export { glob } from './glob.js'
export { grep } from './grep.js'
