import { getDotPath, safeParse, type BaseIssue, type GenericSchema, type InferOutput } from 'valibot'
import { isRecord } from '../../../0-contracts/src/index.js'
import { nearest } from '../../../0-text/src/index.js'
import { RPC } from './rpc-codes.js'
import type { CallContext, RequestHandler } from './rpc-messages.js'
import { RpcError } from './rpc-error.js'

/** One problem of the params. */
interface ParamIssue { path: string; message: string; hint?: string }

/**
 * A handler with validated params. Missing params count as `{}`.
 *
 * @throws RpcError `invalidParams`, with all problems in `data.issues`: `{ path, message, hint? }`
 */
export function checkedParams<Schema extends GenericSchema>(
  schema: Schema, handler: (params: InferOutput<Schema>, context: CallContext) => unknown,
): RequestHandler {
  return (params, context) => handler(checkParams(schema, params), context)
}

function checkParams<Schema extends GenericSchema>(schema: Schema, given: unknown): InferOutput<Schema> {
  // Clients that only support positional params send lists of null for none.
  const isNone = given === undefined || (Array.isArray(given) && given.every((each) => each === null))
  const params = isNone ? {} : given
  // Valibot's object schemas also accept arrays.
  if (!isRecord(params) || Array.isArray(params)) {
    throw invalidParams([{ path: '', message: 'The params must be an object with names' }])
  }
  const checked = safeParse(schema, params)
  if (checked.success) return checked.output
  throw invalidParams(checked.issues.map((issue) => paramIssue(issue, schema)))
}

function invalidParams(issues: readonly ParamIssue[]): RpcError {
  const [first] = issues
  const where = first?.path ? `${first.path}: ` : ''
  return new RpcError(RPC.invalidParams, `Invalid params: ${where}${first?.message ?? ''}`, { issues })
}

function paramIssue(issue: BaseIssue<unknown>, schema: GenericSchema): ParamIssue {
  const path = getDotPath(issue) ?? ''
  const isMissing = issue.received === 'undefined'
  if (issue.expected === 'never') {
    const names = path.includes('.') ? [] : Object.keys((schema as { entries?: object }).entries ?? {})
    const meant = nearest(path, names)
    const hint = meant === undefined ? names.length > 0 && `Params: ${names.join(', ')}.` : `Did you mean ${meant}?`
    return { path, message: 'Unknown parameter', ...(hint && { hint }) }
  }
  if (isMissing) return { path, message: 'Missing' }
  return {
    path,
    message: issue.kind === 'schema' ? `Expected ${expectedOf(issue)} but received ${issue.received}` : issue.message,
  }
}

function expectedOf({ expected }: BaseIssue<unknown>): string {
  return expected === null || expected === undefined || expected === 'unknown' ? 'something else' : expected
}
