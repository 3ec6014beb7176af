import type { ExecutionResult } from '../../../0-contracts/src/index.js'
import type { PreparedAnswer } from '../../../2-extensions/src/index.js'
import { digestOf, sha256 } from './digest.js'
import type { FileEffects } from './file-effects.js'
import { PLAN_VERSION, type Plan, type PlanRewritten } from './plan-schema.js'

/** The fields of a plan that do not come from the dry run. */
export type PlanFrame = Pick<Plan, 'hermes' | 'root' | 'reading' | 'opened' | 'policy'>

/**
 * Makes a plan of what a dry run would have done.
 *
 * @param result of the dry run, with all its blocks
 * @param prepared what extensions made of the answer, if any did
 */
export function makePlan(
  text: string, { results, parseErrors, hooks = [] }: ExecutionResult, effects: FileEffects, frame: PlanFrame,
  prepared?: PreparedAnswer,
): Plan {
  const plan: Omit<Plan, 'digest'> = {
    hermesPlan: PLAN_VERSION,
    madeAt: new Date().toISOString(),
    ...frame,
    answer: { sha256: sha256(text), text, ...rewrittenIn(prepared) },
    blocks: results.map(({ blockId, action, startLine, success, code, params }) => ({
      id: blockId, action, startLine, success, ...(code !== undefined && { code }), ...commandOf(params),
    })),
    parseErrors: parseErrors.map(({ error: { code, line } }) => ({ code, line })),
    files: effects.files(),
    hooks: hooks.map(({ on, name, command, paths, timeoutMs, continueOnError }) => ({
      on, name, command, ...(paths && { paths }), ...(timeoutMs !== undefined && { timeoutMs }),
      ...(continueOnError && { continueOnError }),
    })),
  }
  return { ...plan, digest: digestOf(plan) }
}

function rewrittenIn(prepared: PreparedAnswer | undefined): { rewritten?: PlanRewritten } {
  if (!prepared || prepared.rewrites.length === 0) return {}
  const { original, rewrites, texts } = prepared
  return { rewritten: { original, rewrites: [...rewrites], texts: [...texts] } }
}

/** The command that a block would start, as written. */
function commandOf(params: Record<string, unknown>): { command?: string } {
  const { code, command, script, executable, arguments: args } = params
  const written = [code, command, script].find((value) => typeof value === 'string')
  if (written !== undefined) return { command: written as string }
  return typeof executable === 'string' ? { command: [executable, ...(Array.isArray(args) ? args : [])].join(' ') } : {}
}
