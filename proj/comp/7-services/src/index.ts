export {
  addJob, conversationJobs, CronRunner, cronWork, jobSchedule, jobStates, noJob, readJobs, removeJob, renderCronRun,
  renderJobs, RunLog,
} from './cron/index.js'
export type { CronRun, Job } from './cron/index.js'
export { Gateway, gatewayAdapters, messageTarget, missingVariables } from './gateway/index.js'
export { runAnswer, watchAnswers, watchedPlace } from './watch/index.js'
export type { Answer, Applied } from './watch/index.js'
