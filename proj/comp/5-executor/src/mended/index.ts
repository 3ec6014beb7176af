export { mendAnswer, type MendedAnswer } from './mend-answer.js'
