export { queueStatus, queueStatusText, runWorker } from './jobs/index.js'
export type { Ceiling, QueueJob, QueueSettings, Work } from './jobs/index.js'
export { queueRunner, REPLAY_JOBS, replayWork, serveIfReplaying } from './replay-queue/index.js'
export {
  batchPlan, batchProgress, batchRunner, paidAgainLines, renderBatch, requireEndpoint, runBatch, serveIfBatching,
} from './batch/index.js'
export type { BatchPlan } from './batch/index.js'
export { batchQueueRunner, PROMPT_JOBS, promptWork, requireSendable, serveIfPrompting } from './batch-queue/index.js'
export type { OwnAgent } from './batch-queue/index.js'
