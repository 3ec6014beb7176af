export {
  DEFAULT_ATOMIC, DEFAULT_LIMITS, enabledVerbs, execute, Hermes, OUTSIDE_THE_STORE, policyVerbs,
  requireRootHere, RunQueue, takeBack, unmetIn, unmetRequirement, userGate, userHooks, userPolicy, VerbExecutor,
  workRootOf,
} from './executor/index.js'
export type {
  CallbackFailure, ContextPrompt, ExecutorOptions, FunctionCall, PrepareOptions, ReadableText, Refusal, RunOptions,
  RunResult, TakeBackOptions, TextChunk, TextSource, Unmet, VerbResult,
} from './executor/index.js'
export {
  argumentErrors, exampleOf, loadExactVerb, loadVerb, parametersOf, projectionOf, selectVerbs, usualTools, VERBS,
  whyNone,
} from './verbs/index.js'
export { fileVerbs, VerbsHere } from './own-verbs/index.js'
export { Continuation } from './continued/index.js'
export { mendAnswer } from './mended/index.js'
export type { MendedAnswer } from './mended/index.js'
export { PLAN, planRun } from './plans/index.js'
export type { PlanReading, PlanRun } from './plans/index.js'
export { configuredTool, configuredTools } from './mcp-client/index.js'
