export { nearestPassage } from './nearest-passage.js'
export { replaceText } from './replace-text.js'
