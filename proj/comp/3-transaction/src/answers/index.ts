export { keepAnswer, keptAnswers, readAnswer } from './answer-record.js'
export type { AnswerRecord, KeptBlock } from './answer-record.js'
