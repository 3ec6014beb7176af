export { answerHash } from './answer-text.js'
export { watchAnswers, type Answer, type Applied } from './watch-answers.js'
export { watchedPlace } from './watched-place.js'
export { runAnswer } from './run-answer.js'
