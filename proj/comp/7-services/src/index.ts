export * from './cron/index.js'
export { Gateway, gatewayAdapters, messageTarget, missingVariables } from './gateway/index.js'
export { runAnswer, watchAnswers, watchedPlace, type Answer, type Applied } from './watch/index.js'
