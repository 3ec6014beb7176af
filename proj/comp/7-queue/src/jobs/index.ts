export { carry, requireStore, unpack } from './carried.js'
export { beyondCeiling, underCeiling, type Ceiling } from './ceiling.js'
export {
  address, CARRIED, carriedNetwork, counted, duration, FAILURE, NETWORK, OBJECT_LINE, readForm, TOOLSETS,
  WORKER, WORKSPACE,
} from './job-form.js'
export type { JobKind, QueueJob } from './job-kind.js'
export { QueueProducer, type JobEnd } from './producer.js'
export { queuePlace } from './queue-place.js'
export { queueStatus, type QueueStatus, queueStatusText } from './queue-status.js'
export { TreeFetcher, isDirectory, requireFixture, TreeSender } from './tree-sender.js'
export { QueueWorker, type Done } from './worker.js'
export { deadLetter, noGit, QueueRun, refuseWithoutStore, type QueueSettings } from './queue-run.js'
export { WorkProcesses } from './work-processes.js'
export { DIRECTORY, runWorker, type Work, type WorkPlace } from './worker-run.js'
