export { changedFileProblems } from './problems/changed-files.js'
export type { ChangedFile, ChangedFileProblems } from './problems/changed-file.js'
export type { ScriptProblem } from './symbols/typescript/check-thread.js'
