export { readResponse } from './read-response.js'
