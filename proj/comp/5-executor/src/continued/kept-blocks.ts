import { isRecord, type ActionResult, type ParseError } from '../../../0-contracts/src/index.js'
import { clip } from '../../../0-text/src/index.js'
import type { KeptBlock } from '../../../3-transaction/src/index.js'

/** A result as it is kept: without its data, and of its parameters what tells the block from others. */
export type KeptResult = Extract<KeptBlock, { result: unknown }>['result']
export type KeptError = Extract<KeptBlock, { errors: unknown }>['errors'][number]

const MOST_PARAMS = 20
const MOST_CALLS = 5
const PARAM_CHARS = 200
const ERROR_CHARS = 500
const HINT_CHARS = 2000

export function keptResult(result: ActionResult): KeptResult {
  const { seq, blockId, action, params, ranAs, success, error, code, hint, warned, startLine, endLine } = result
  return {
    seq, blockId, action, params: keptParams(params),
    ...(ranAs && { ranAs: ranAs.slice(0, MOST_CALLS).map((one) => ({ ...one, params: keptParams(one.params) })) }),
    success, ...(error !== undefined && { error: clip(error, ERROR_CHARS) }), ...(code !== undefined && { code }),
    ...(hint !== undefined && (!success || warned) && { hint: clip(hint, HINT_CHARS) }), ...(warned && { warned }),
    startLine, endLine, durationMs: result.durationMs,
  }
}

/** Its fix is for the lines of an answer that is not at hand then. */
export function keptError({ error, ...place }: ParseError): KeptError {
  const { fix: _, ...told } = error
  return { ...place, error: told }
}

function keptParams(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).slice(0, MOST_PARAMS).flatMap(([name, value]) => (
    typeof value === 'string' ? [[name, clip(value, PARAM_CHARS)]]
      : Array.isArray(value) || isRecord(value) ? [] : [[name, value]]
  )))
}
