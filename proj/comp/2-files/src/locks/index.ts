export { LockFile } from './lock-file.js'
export { lockHolder } from './read-lock.js'
export { acquireRootLock, isHeldBy, runAtWork } from './root-lock.js'
