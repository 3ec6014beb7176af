export { semanticSearch } from './semantic-search.js'
