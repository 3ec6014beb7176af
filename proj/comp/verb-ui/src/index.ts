export { askUser } from './ask-user.js'
export { confirmAction } from './confirm-action.js'
