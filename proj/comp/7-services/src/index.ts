export {
  addJob, conversationJobs, CronRunner, cronWork, jobSchedule, jobStates, noJob, readJobs, removeJob, renderCronRun,
  renderJobs, RunLog, type CronRun, type Job,
} from './cron/index.js'
export { Gateway, gatewayAdapters, messageTarget, missingVariables } from './gateway/index.js'
export { runAnswer, watchAnswers, watchedPlace, type Answer, type Applied } from './watch/index.js'
