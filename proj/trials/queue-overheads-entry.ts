/** Of the queue and the store what queue-overheads.mjs measures. */
export { openContentStore, packTree, TreeCache } from '../comp/content-store/src/index.js'
export { replayTranscript } from '../comp/replay/src/index.js'
export { QueueProducer, queuePlace, QueueWorker } from '../comp/job-queue/src/index.js'
export { JobSender, REPLAY_JOBS } from '../comp/replay-queue/src/index.js'
export { loadMapping } from '../comp/tool-mapping/src/index.js'
