export { readPlan } from './plan-file.js'
export { PLAN, type PlanReading } from './plan-schema.js'
export { planRun, type PlanRun } from './plan-run.js'
