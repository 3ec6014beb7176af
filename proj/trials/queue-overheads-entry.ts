/** Of the queue and the store what queue-overheads.mjs measures. */
export { openContentStore, packTree, TreeCache } from '../comp/2-files/src/content-store/index.js'
export { replayTranscript } from '../comp/6-replay/src/replay/index.js'
export { QueueProducer, queuePlace, QueueWorker } from '../comp/7-queue/src/jobs/index.js'
export { JobSender, REPLAY_JOBS } from '../comp/7-queue/src/replay-queue/index.js'
export { loadMapping } from '../comp/2-mapping/src/index.js'
