export { newProblems, type NewProblems } from './symbols/typescript/new-problems.js'
export type { ChangedScript, ScriptProblem } from './symbols/typescript/check-thread.js'
