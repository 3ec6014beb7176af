export { keepAnswer, keptAnswers, readAnswer, type AnswerRecord, type KeptBlock } from './answer-record.js'
