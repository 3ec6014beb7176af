export {
  DEFAULT_ATOMIC, DEFAULT_LIMITS, enabledVerbs, execute, Hermes, OUTSIDE_THE_STORE, policyVerbs, requireRootHere,
  RunQueue, takeBack, unmetIn, unmetRequirement, userGate, userHooks, userPolicy, VerbExecutor, workRootOf,
  type CallbackFailure, type ContextPrompt, type ExecutorOptions, type FunctionCall, type PrepareOptions,
  type ReadableText, type Refusal, type RunOptions, type RunResult, type TakeBackOptions, type TextChunk,
  type TextSource, type Unmet, type VerbResult,
} from './executor/index.js'
export * from './verbs/index.js'
export { fileVerbs, VerbsHere } from './own-verbs/index.js'
export { Continuation } from './continued/index.js'
export { mendAnswer, type MendedAnswer } from './mended/index.js'
export { PLAN, planRun, type PlanReading, type PlanRun } from './plans/index.js'
export { configuredTool, configuredTools } from './mcp-client/index.js'
