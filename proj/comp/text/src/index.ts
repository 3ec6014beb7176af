export { escapeControls } from './escape.js'
export { nearest } from './nearest.js'
export { clipUtf8 } from './utf8.js'
