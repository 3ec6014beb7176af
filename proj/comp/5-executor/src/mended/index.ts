export { mendAnswer } from './mend-answer.js'
export type { MendedAnswer } from './mend-answer.js'
