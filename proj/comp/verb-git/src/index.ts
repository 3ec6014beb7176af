export { gitCommit } from './git-commit.js'
export { gitDiff } from './git-diff.js'
export { gitLog } from './git-log.js'
export { gitStatus } from './git-status.js'
