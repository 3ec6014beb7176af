export { editReplace } from './edit-replace.js'
