export { glob } from './glob.js'
export { grep } from './grep.js'
export { searchFiles } from './search-files.js'
